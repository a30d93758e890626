/** The private key sealed by the person's passphrase: scrypt makes the key of an AES-256-GCM box. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { z } from 'zod'
import { MnemosError, reasonOf } from '../base/errors.ts'
import type { KeyPair } from './signing.ts'

/** scrypt's cost: memory is 128 · N · r bytes. It is written beside the box, so that it can be raised one day. */
export interface Cost {
  N: number
  r: number
  p: number
}
/** 128 MiB and about a third of a second a guess. */
export const STRONG: Cost = { N: 2 ** 17, r: 8, p: 1 }

const SALT_BYTES = 16
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)

/** The bounds keep a foreign file from asking for all of the machine's memory; {@link STRONG} has room to grow in them. */
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

/** `key.json`: the public key, and the private one that only the passphrase opens. */
export const keyFileSchema = z.object({ publicKey: base64, sealed: sealedSchema })
export type KeyFile = z.output<typeof keyFileSchema>

/** Terminals and input methods write the same letters in different code points. */
const boxKey = (passphrase: string, salt: Buffer, { N, r, p }: Cost) =>
  scryptSync(passphrase.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r })

export function sealKey(
  { publicKey, privateKey }: KeyPair,
  passphrase: string,
  cost: Cost = STRONG,
): KeyFile {
  const salt = randomBytes(SALT_BYTES)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', boxKey(passphrase, salt, cost), iv, {
    authTagLength: TAG_BYTES,
  })
  // The public key is bound to the box: beside another one it does not open.
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

/** @throws MnemosError REFUSED when the passphrase does not open it, UNAVAILABLE when the machine has no memory for it. */
export function openKey({ publicKey, sealed }: KeyFile, passphrase: string): KeyPair {
  let key: Buffer
  try {
    key = boxKey(passphrase, Buffer.from(sealed.salt, 'base64'), sealed)
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
