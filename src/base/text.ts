/** Cutting, counting and quoting text without splitting what a person sees as one character. */

let segmenter: Intl.Segmenter | undefined

/** Splits text into characters as a person counts them. Made when it is first used: to make it takes long. */
export function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter
}

/** The number of characters as a person counts them (grapheme clusters). */
export function countCharacters(text: string): number {
  let n = 0
  for (const _ of graphemes().segment(text)) n++
  return n
}

/**
 * The first `max` characters (grapheme clusters) of `text`; where something was left out, `mark` (one character, or
 * none) is the last of them.
 */
export function cut(text: string, max: number, mark = '…'): string {
  if (text.length <= max) return text
  let n = 0
  let beforeLast = 0
  for (const { index } of graphemes().segment(text)) {
    if (n === max - 1) beforeLast = index
    if (n === max) return mark === '' ? text.slice(0, index) : max > 0 ? text.slice(0, beforeLast) + mark : ''
    n++
  }
  return text
}

/**
 * A piece of `text`, its ends moved outwards to the borders of characters. Places and lengths are UTF-16 units.
 * @returns the piece and where it really starts and ends.
 */
export function windowOf(
  text: string,
  start: number,
  length: number,
): { text: string; start: number; end: number } {
  const from = Math.min(Math.max(0, start), text.length)
  const to = Math.min(text.length, from + Math.max(0, length))
  const a = from === 0 ? 0 : (graphemes().segment(text).containing(from)?.index ?? text.length)
  const last = to === text.length ? undefined : graphemes().segment(text).containing(to)
  const b = last === undefined ? text.length : last.index === to ? to : last.index + last.segment.length
  return { text: text.slice(a, b), start: a, end: b }
}

const CJK_CHARACTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu

/** An estimate of a text's tokens: one for four characters, and one for each Chinese, Japanese or Korean character. */
export function estimateTokens(text: string): number {
  const cjk = text.match(CJK_CHARACTERS)?.length ?? 0
  return Math.ceil(([...text].length - cjk) / 4 + cjk)
}

/** `text` on one line: every run of white space and line breaks is one space. */
export const oneLine = (text: string): string => text.replace(/[\s\u0085]+/gu, ' ').trim()

/** Puts `text` between runs of backticks that it cannot close: one more than its own longest run, at least three. */
export function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return text.includes('\n') ? `${ticks}\n${text}\n${ticks}` : `${ticks} ${text} ${ticks}`
}
