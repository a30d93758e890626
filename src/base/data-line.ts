/** Saved text as it stands in a request: on one line of a list, which it can neither leave nor pass for anything else. */
import { graphemes } from './text.ts'
import { visible } from './visible.ts'

/** UTF-16 units of the longest character that people write (emoji of two persons); a longer one is a heap of marks. */
const CLUSTER_UNITS = 16
const HEAP = '\ufffd'

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
    if (segment.length > CLUSTER_UNITS) line += HEAP
    else line += EMOJI.test(segment) ? segment : visible(segment)
  }
  return line.replace(MARKUP, (found) => (found.length === 1 ? `${found}\\` : [...found].join('\\')))
}
