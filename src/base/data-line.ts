/** Saved text as one line of a list in a request: it can neither leave the line nor be taken for anything else. */
import { graphemes } from './text.ts'
import { visible } from './visible.ts'

/** UTF-16 units of the longest letter that people write, with its marks; what is longer is not text. */
const LETTER_UNITS = 8
const NOT_TEXT = '\ufffd'

const EMOJI = /^\p{RGI_Emoji}$/v

/** What could be taken for the end of a quotation, the beginning of someone else's words, or a label of ours. */
const MARKUP =
  /`{3,}|~{3,}|<(?=[|｜])|<(?=\s*\/?\s*(?:system|user|assistant|developer|tool|human|function|instruction|message)s?\b)|[[［【](?=\s*mnemos\b)/giu

/**
 * `text` with everything in it that cannot be seen (line ends among it) shown as an escape, and a backslash inside what
 * could be taken for markup: fences, role markers, labels of ours.
 */
export function dataLine(text: string): string {
  let line = ''
  for (const { segment } of graphemes().segment(text.replace(/\p{Zs}/gu, ' ').trim())) {
    if (EMOJI.test(segment)) line += segment
    else line += segment.length > LETTER_UNITS ? NOT_TEXT : visible(segment)
  }
  return line.replace(MARKUP, (found) => (found.length === 1 ? `${found}\\` : [...found].join('\\')))
}
