/** Ed25519 signatures. Keys and signatures travel as base64; a public key as DER (SPKI), a private one as DER (PKCS #8). */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

/** A key pair in memory. */
export interface KeyPair {
  publicKey: string
  /** PKCS #8. On disk it is only kept encrypted. */
  privateKey: Buffer
}

/** A fresh random key pair. */
export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
  }
}

/** The signature of a statement; base64. */
export function signed(privateKey: Buffer, statement: string): string {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })
  return sign(null, Buffer.from(statement), key).toString('base64')
}

/** Whether a key signed exactly this statement. Never throws: an invalid key or signature proves nothing. */
export function isSigned(publicKey: string, statement: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64'))
  } catch {
    // Not a key, or not a signature.
    return false
  }
}

/** A public key as a person compares it: `1f3a 09bc 77d2 e410`. */
export const fingerprint = (publicKey: string): string =>
  (
    createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16).match(/.{4}/g) ??
    []
  ).join(' ')
