/** A text that the person approved, and the signature that proves it. */
import type { Language } from '../base/language.ts'
import { isSigned, type KeyPair, signed } from './signing.ts'

/** What the signature of an approved text covers. */
export interface SignedContent {
  version: number
  language: Language
  /** When it was approved; ISO. */
  at: string
  text: string
}

/** An approved text. Whether its signature holds is for {@link isGenuine} to say. */
export interface ApprovedText extends SignedContent {
  /** The public key that signed it; base64. */
  key: string
  /** Base64. */
  signature: string
}

/** These bytes are signed: a change of them makes every file that is on disk invalid. */
const statementOf = ({ version, language, at, text }: SignedContent): string =>
  JSON.stringify(['mnemos constitution text 1', version, language, at, text])

/** The signature of a text; base64. */
export const signText = (content: SignedContent, { privateKey }: KeyPair): string =>
  signed(privateKey, statementOf(content))

/** Whether the key that a text names signed it. */
export const isGenuine = (approved: ApprovedText): boolean =>
  isSigned(approved.key, statementOf(approved), approved.signature)
