/** `constitution.md`: the approved text with its version and signature, the same bytes each time it is written. */
import { type Approved, isGenuine } from './audit.ts'
import { split } from './constitution.ts'

/** Read-only, so that an editor asks before it writes. */
export const TEXT_MODE = 0o444

export const render = ({ version, language, at, signature, text }: Approved): string =>
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

/** The approved text that a file holds; undefined where none of these keys signed what stands in it. */
export function approvedInFile(source: string, keys: readonly string[]): Approved | undefined {
  const { header, text } = split(source)
  const { version, language, approved: at, signature } = header
  if (!/^[1-9]\d*$/.test(version ?? '') || !language || !at || !signature) return undefined
  for (const key of keys) {
    const approved = { version: Number(version), language, at, text, key, signature }
    if (isGenuine(approved)) return approved
  }
  return undefined
}
