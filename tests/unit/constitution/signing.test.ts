import { describe, expect, it } from 'vitest'
import { keyFileSchema, openKey, STRONG, sealKey } from '../../../src/constitution/seal.ts'
import { isSigned, newKeyPair, signed } from '../../../src/constitution/signing.ts'
import { CHEAP, PASSPHRASE } from '../../support/constitution.ts'
import { replacingCrypto } from '../../support/work.ts'

describe('a signature', () => {
  it('holds for exactly this text and this key', () => {
    const pair = newKeyPair()
    const signature = signed(pair.privateKey, 'be kind')
    expect(isSigned(pair.publicKey, 'be kind', signature)).toBe(true)
    expect(isSigned(pair.publicKey, 'be kind ', signature)).toBe(false)
    expect(isSigned(newKeyPair().publicKey, 'be kind', signature)).toBe(false)
    for (const broken of ['', 'AAAA', 'no base64!', signature.slice(4)])
      expect(isSigned(pair.publicKey, 'be kind', broken)).toBe(false)
    expect(isSigned('no key', 'be kind', signature)).toBe(false)
  })
})

describe('the encrypted key', () => {
  it('is decrypted by its passphrase in any Unicode form, and only beside its own public key', () => {
    const pair = newKeyPair()
    const file = sealKey(pair, 'pass caf\u00e9', CHEAP)
    expect(JSON.stringify(file)).not.toContain(pair.privateKey.toString('base64'))
    expect(openKey(file, 'pass cafe\u0301')).toEqual(pair)
    expect(() => openKey(file, 'pass cafe')).toThrow('The passphrase is wrong; nothing was changed.')
    const other = { ...file, publicKey: newKeyPair().publicKey }
    expect(() => openKey(other, 'pass café')).toThrow('The passphrase is wrong')
  })

  it('names its cost, strong by default, and is refused with a cost beyond the bounds', () => {
    let asked: unknown
    const file = replacingCrypto(
      'scryptSync',
      (_passphrase, _salt, length, options) => {
        asked = options
        return Buffer.alloc(length)
      },
      () => sealKey(newKeyPair(), PASSPHRASE),
    )
    expect(asked).toMatchObject(STRONG)
    expect(file.sealed).toMatchObject({ kdf: 'scrypt', ...STRONG })
    expect(STRONG).toEqual({ N: 131_072, r: 8, p: 1 })
    expect(keyFileSchema.safeParse({ ...file, sealed: { ...file.sealed, N: 2 ** 24 } }).success).toBe(false)
  })
})
