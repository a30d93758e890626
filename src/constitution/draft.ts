/** A text that a person wants to approve, as it is read from a file. */

import { MnemosError } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import { REFUSE_BYTES } from './constitution.ts'
import { splitHeader } from './text-header.ts'

/** A text that is to be approved. */
export interface NewText {
  text: string
  language: Language
}

/**
 * The text in a file that a person names.
 * @param name how the file is called in an error.
 * @throws MnemosError INVALID_INPUT where it is not text, is empty or too large.
 */
export function parseConstitutionDraft(bytes: Uint8Array, name: string): NewText {
  const refused = (why: string, remedy: string) => new MnemosError('INVALID_INPUT', `${name} ${why}.`, remedy)
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('is not UTF-8', 'Save it as UTF-8 in an editor.')
  }
  if (source.includes('\0')) throw refused('holds NUL characters', 'Save it as plain text.')
  const { header, text } = splitHeader(source)
  if (text === '') throw refused('is empty', 'Write your constitution into it.')
  if (Buffer.byteLength(text) > REFUSE_BYTES) {
    throw refused(
      `has ${Buffer.byteLength(text)} bytes of text, and ${REFUSE_BYTES} is the most`,
      'Shorten it: it stands in every request.',
    )
  }
  return { text, language: header.language ?? languageIn(text) }
}

/** Chinese when a tenth of its characters are: one Chinese character says as much as several letters. */
function languageIn(text: string): Language {
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return chinese * 10 >= text.length ? 'zh' : 'en'
}
