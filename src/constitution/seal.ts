/** The private key, encrypted with the person's passphrase: scrypt derives a key for AES-256-GCM. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { z } from 'zod'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { KeyPair } from './signing.ts'

/** scrypt's cost: memory is 128 · N · r bytes. It is written in the key file, so that it can be raised later. */
export interface Cost {
  N: number
  r: number
  p: number
}
/** The cost of every new key: 128 MiB and about a third of a second for each guess. */
export const STRONG: Cost = { N: 2 ** 17, r: 8, p: 1 }

const SALT_BYTES = 16
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)

/** The bounds keep a foreign file from using all of the machine's memory; {@link STRONG} has room to grow in them. */
const sealedSchema = z.object({
  kdf: z.literal('scrypt'),
  N: z
    .int()
    .min(2)
    .max(2 ** 18)
    .refine((n) => Number.isInteger(Math.log2(n))),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(2),
  salt: base64,
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
  tag: base64,
  data: base64,
})

/** `key.json`: the public key, and the private one, which only the passphrase decrypts. */
export const keyFileSchema = z.object({ publicKey: base64, sealed: sealedSchema })
/** The content of `key.json`. */
export type KeyFile = z.output<typeof keyFileSchema>

/** Normalised, since terminals and input methods write the same letters in different code points. */
const encryptionKey = (passphrase: string, salt: Buffer, { N, r, p }: Cost) =>
  scryptSync(passphrase.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r })

/** Encrypts the private key of a pair. */
export function sealKey(
  { publicKey, privateKey }: KeyPair,
  passphrase: string,
  cost: Cost = STRONG,
): KeyFile {
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', encryptionKey(passphrase, salt, cost), iv, {
    authTagLength: TAG_BYTES,
  })
  // The public key is authenticated too: the private key cannot be decrypted beside another one.
  cipher.setAAD(Buffer.from(publicKey))
  const data = Buffer.concat([cipher.update(privateKey), cipher.final()])
  return {
    publicKey,
    sealed: {
      kdf: 'scrypt',
      ...cost,
      salt: salt.toString('base64'),
      cipher: 'aes-256-gcm',
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
    },
  }
}

/**
 * Decrypts a key file.
 * @throws MnemosError REFUSED when the passphrase is wrong, UNAVAILABLE when the machine has too little memory for it.
 */
export function openKey({ publicKey, sealed }: KeyFile, passphrase: string): KeyPair {
  let key: Buffer
  try {
    key = encryptionKey(passphrase, Buffer.from(sealed.salt, 'base64'), sealed)
  } catch (error) {
    throw new MnemosError(
      'UNAVAILABLE',
      `The key of the constitution cannot be opened (${reasonOf(error)}); nothing was changed.`,
      'Free some memory and try again.',
      { cause: error },
    )
  }
  try {
    const options = { authTagLength: TAG_BYTES }
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), options)
    decipher.setAAD(Buffer.from(publicKey))
    decipher.setAuthTag(Buffer.from(sealed.tag, 'base64'))
    const data = Buffer.from(sealed.data, 'base64')
    return { publicKey, privateKey: Buffer.concat([decipher.update(data), decipher.final()]) }
  } catch (error) {
    throw new MnemosError(
      'REFUSED',
      'The passphrase is wrong; nothing was changed.',
      'Where it is forgotten: mnemos init --replace',
      { cause: error },
    )
  }
}
