/** The header of a constitution's text: version, language and signature, between two lines `---`. */

import { parseDocument } from 'yaml'
import { z } from 'zod'
import { defined } from '../base/defined.ts'
import { LANGUAGES } from '../base/language.ts'

/** What a header may hold: what Mnemos writes there, and nothing that a person would write as text. */
const textHeaderSchema = z.strictObject({
  version: z
    .union([z.string().regex(/^[\w.-]{1,20}$/), z.number()])
    .transform(String)
    .optional(),
  language: z.enum(LANGUAGES).optional(),
  approved: z.iso.datetime().optional(),
  signature: z
    .string()
    .regex(/^[A-Za-z0-9+/=]{1,100}$/)
    .optional(),
})
/** The values of a header; each may be missing. */
export type TextHeader = z.output<typeof textHeaderSchema>

/** Twice what the longest header that Mnemos writes has. */
const HEADER_CHARACTERS = 512

/**
 * Takes the header off a text. It is one only where it is a sound YAML mapping of `version`, `language`, `approved` and
 * `signature`, each with a valid value, and without a comment; in any other case (other keys, broken YAML, one that is
 * too long) the whole source is the text: nothing that a person wrote is dropped.
 * @returns the text with `\n` line ends and without white space around it.
 */
export function splitHeader(source: string): { header: TextHeader; text: string } {
  const clean = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const [block, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(clean) ?? []
  const header = block === undefined || yaml === undefined ? undefined : headerIn(yaml)
  if (block === undefined || header === undefined) return { header: {}, text: clean.trim() }
  return { header, text: clean.slice(block.length).trim() }
}

function headerIn(yaml: string): TextHeader | undefined {
  // None of the values has a "#": it begins a comment, which parsing would drop.
  if (yaml.length > HEADER_CHARACTERS || yaml.includes('#')) return undefined
  try {
    const document = parseDocument(yaml)
    if (document.errors.length > 0 || document.warnings.length > 0) return undefined
    const { data } = textHeaderSchema.safeParse(document.toJS({ maxAliasCount: 0 }))
    return data && defined(data)
  } catch {
    // It is no header then, but the beginning of the text.
    return undefined
  }
}
