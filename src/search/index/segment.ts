/**
 * Text to search terms. The same function serves records and queries, so that both always agree.
 *
 * Scripts that write without spaces become characters and pairs of characters: no dictionary takes part, so an
 * index made by one build of Node answers the queries of another. All other text becomes words; what looks like
 * code (a path, a version, `camelCase`, `snake_case`, `C++`) is a term as a whole and in its parts.
 */
import { graphemes } from '../../base/text.ts'
import { fold, readWord } from './stem.ts'

/** A term and where it stands in the text, in UTF-16 units. */
export interface Term {
  text: string
  start: number
  end: number
  /** An additional reading of text that other terms cover; does not count towards a field's length. */
  extra: boolean
  /** For a plain word: folded but not stemmed, the form that a person would recognise. */
  word?: string
}

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\uff70\\uff9e\\uff9f\\u3099\\u309a'
const LETTER = `[[\\p{L}\\p{M}\\p{N}]--[${UNSPACED}]]`
const JOINTS = "[\\-._\\/\\\\:@+#'’&=~]"
/** Groups: 1 unspaced run, 2 word or compound, 3 emoji. */
const PIECES = new RegExp(
  `([${UNSPACED}][${UNSPACED}\\p{M}]*)|(\\.?${LETTER}+(?:${JOINTS}{1,3}${LETTER}+)*(?:\\+\\+|#)?)|(\\p{Extended_Pictographic})`,
  'gv',
)
const COMPOSED = /[\u1100-\u11ff\u3099\u309a\uff65-\uff9f\p{M}]/u
const PLAIN_WORD = /^[a-z]+$/i
const VERSION = /^v?\d+(?:\.\d+)+$/i
/** Numbers of a version that count, as each prefix is a term. */
const VERSION_NUMBERS = 8
const HUMPS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu

/** All terms of `text` in reading order. Never throws, whatever the text holds. */
export function segment(text: string): Term[] {
  const terms: Term[] = []
  for (const match of text.matchAll(PIECES)) {
    const [piece, unspaced, compound] = match
    if (unspaced !== undefined) pushUnspaced(terms, unspaced, match.index)
    else if (compound !== undefined) pushCompound(terms, compound, match.index)
    else terms.push({ text: piece, start: match.index, end: match.index + piece.length, extra: false })
  }
  return terms
}

/** The runs of unspaced script in `text`, as {@link segment} sees them. */
export function unspacedRuns(text: string): { text: string; start: number }[] {
  const runs: { text: string; start: number }[] = []
  for (const match of text.matchAll(PIECES))
    if (match[1] !== undefined) runs.push({ text: match[1], start: match.index })
  return runs
}

/** Every character, and every pair of neighbours. A single character counts as extra where a pair covers it. */
function pushUnspaced(terms: Term[], run: string, at: number): void {
  let last: { text: string; start: number } | undefined
  const character = (raw: string, start: number) => {
    const text = raw.normalize('NFKC').toLowerCase()
    const end = start + raw.length
    if (last) terms.push({ text: last.text + text, start: last.start, end, extra: false })
    terms.push({ text, start, end, extra: true })
    last = { text, start }
  }
  if (COMPOSED.test(run)) for (const g of graphemes().segment(run)) character(g.segment, at + g.index)
  else {
    let start = at
    for (const raw of run) {
      character(raw, start)
      start += raw.length
    }
  }
}

function pushCompound(terms: Term[], raw: string, at: number): void {
  if (PLAIN_WORD.test(raw) && !/[a-z][A-Z]/.test(raw)) {
    pushWord(terms, raw, at, false)
    return
  }
  const suffix = raw.endsWith('++') ? 2 : raw.endsWith('#') ? 1 : 0
  const body = suffix ? raw.slice(0, -suffix) : raw
  // C++, C#, F#, .NET: the sign is part of the name; after a longer word it is punctuation.
  if (suffix && /^[\p{L}]{1,2}$/u.test(body)) {
    terms.push({ text: fold(raw), start: at, end: at + raw.length, extra: true })
  }
  if (body.startsWith('.')) {
    terms.push({ text: fold(body), start: at, end: at + body.length, extra: true })
    pushBody(terms, body.slice(1), at + 1)
  } else pushBody(terms, body, at)
}

function pushBody(terms: Term[], body: string, at: number): void {
  // Nobody searches for 's; the apostrophe is written in two ways.
  const owner = /^(.+)['’]s$/iu.exec(body)
  const text = owner?.[1] ?? body
  const sections = [...text.matchAll(/[^/\\:@&=~]+/gu)]
  if (sections.length > 1) pushWhole(terms, text, at)
  for (const section of sections) pushSection(terms, section[0], at + section.index)
}

/** A file name, a version, an identifier: whole (joints of identifiers left out), then its words. */
function pushSection(terms: Term[], section: string, at: number): void {
  if (VERSION.test(section)) {
    pushVersion(terms, section, at)
    return
  }
  const words = [...section.matchAll(/[^\-._+#]+/gu)]
  const parts = words.flatMap((word) => partsOf(word[0], at + word.index))
  if (!parts.some((part) => part.raw.length === section.length)) pushWhole(terms, section, at)
  for (const part of parts) pushWord(terms, part.text, part.at, part.extra, part.raw.length)
}

interface WordPart {
  text: string
  raw: string
  at: number
  extra: boolean
}

/** A word of an identifier: itself, or the humps of its camel case; with digits in it (`x86`, `GPT4`), both. */
function partsOf(raw: string, at: number): WordPart[] {
  const own = { text: raw.replace(/['’]/g, ''), raw, at, extra: false }
  if (own.text !== raw || /^\p{Lu}{2,}s$/u.test(raw)) return [own]
  const humps = [...raw.matchAll(HUMPS)]
  if (humps.length < 2) return [own]
  // One letter or digit of an identifier says nothing; the whole holds it.
  const inner = humps
    .filter((hump) => hump[0].length > 1)
    .map((hump) => ({ text: hump[0], raw: hump[0], at: at + hump.index, extra: false }))
  if (inner.length === 0) return [own]
  return inner.length > 1 && !/\p{N}/u.test(raw) ? inner : [{ ...own, extra: true }, ...inner]
}

/** `v1.7.0`: as written, without the v, and each shorter version that it begins with. */
function pushVersion(terms: Term[], raw: string, at: number): void {
  const end = at + raw.length
  const from = /^v/i.test(raw) ? 1 : 0
  // A version has a few numbers; of a longer chain only the beginning is indexed.
  const numbers = raw.slice(from).split('.').slice(0, VERSION_NUMBERS)
  if (from) terms.push({ text: fold(raw), start: at, end, extra: true })
  let length = numbers[0]?.length ?? 0
  for (const number of numbers.slice(1)) {
    length += 1 + number.length
    terms.push({
      text: raw.slice(from, from + length),
      start: at + from,
      end: at + from + length,
      extra: length < raw.length - from,
    })
  }
}

/** Joints inside an identifier are left out, so `node_modules`, `node-modules` and `nodeModules` are one term. */
function pushWhole(terms: Term[], raw: string, at: number): void {
  terms.push({ text: fold(raw).replace(/[-_'’]/g, ''), start: at, end: at + raw.length, extra: true })
}

function pushWord(terms: Term[], raw: string, at: number, extra: boolean, length = raw.length): void {
  const { word, stem } = readWord(raw)
  if (!stem) return
  const term: Term = { text: stem, start: at, end: at + length, extra }
  if (word.length >= 3 && !/\d/.test(word)) term.word = word
  terms.push(term)
}
