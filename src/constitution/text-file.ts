/** `constitution.md`: the approved text with its version and signature, the same bytes each time it is written. */
import { type ApprovedText, isGenuine } from './approved-text.ts'
import { splitHeader } from './text-header.ts'

/** Read-only, so that an editor asks before it writes. */
export const TEXT_MODE = 0o444

/** The content of the text file for an approved text. */
export const renderTextFile = ({ version, language, at, signature, text }: ApprovedText): string =>
  [
    '---',
    `version: ${version}`,
    `language: ${language}`,
    `approved: "${at}"`,
    `signature: "${signature}"`,
    '---',
    '',
    text,
    '',
  ].join('\n')

/** The approved text that a file holds; undefined where none of these keys signed it. */
export function approvedInFile(source: string, keys: readonly string[]): ApprovedText | undefined {
  const { header, text } = splitHeader(source)
  const { version, language, approved: at, signature } = header
  if (!/^[1-9]\d*$/.test(version ?? '') || !language || !at || !signature) return undefined
  for (const key of keys) {
    const approved = { version: Number(version), language, at, text, key, signature }
    if (isGenuine(approved)) return approved
  }
  return undefined
}
