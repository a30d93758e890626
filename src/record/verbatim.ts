/** Finding and cutting what was copied word for word: runs of 5 words or 8 characters of unspaced script. */

const RUN_WORDS = 5
const RUN_CHARACTERS = 8
/** What stands where a run was cut out. */
export const CUT = '[…]'

interface Unit {
  text: string
  start: number
  end: number
  /** Its share of a run: a run counts from 1 up, so that mixed ones do too. */
  weight: number
}

const UNITS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\p{L}\p{M}\p{N}]|$)/gu
const UNSPACED_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

function unitsOf(text: string): Unit[] {
  return [...text.matchAll(UNITS)].map((match) => ({
    text: match[0].normalize('NFKC').toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
    weight: UNSPACED_START.test(match[0]) ? 1 / RUN_CHARACTERS : 1 / RUN_WORDS,
  }))
}

/** The shortest run from each place that counts: its key and its number of units. */
function* runs(units: readonly Unit[]): Iterable<{ at: number; length: number; key: string }> {
  for (let at = 0; at < units.length; at++) {
    let weight = 0
    for (let end = at; end < units.length; end++) {
      weight += units[end]?.weight ?? 0
      // Eighths and fifths do not add up exactly.
      if (weight < 1 - 1e-9) continue
      const part = units.slice(at, end + 1)
      yield { at, length: part.length, key: part.map(({ text }) => text).join(' ') }
      break
    }
  }
}

/** What is looked for: every shortest run of the given texts. */
export function verbatimOf(texts: readonly string[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const text of texts) for (const { key } of runs(unitsOf(text))) keys.add(key)
  return keys
}

/** `text` without the runs that stand in `verbatim`; the same text where there are none. */
export function cutVerbatim(text: string, verbatim: ReadonlySet<string>): string {
  const units = unitsOf(text)
  const cut = new Array<boolean>(units.length).fill(false)
  for (const { at, length, key } of runs(units)) if (verbatim.has(key)) cut.fill(true, at, at + length)
  let out = ''
  let from = 0
  for (let at = 0; at < units.length; at++) {
    if (!cut[at]) continue
    let last = at
    while (cut[last + 1]) last++
    out += text.slice(from, units[at]?.start) + CUT
    from = units[last]?.end ?? text.length
    at = last
  }
  return out + text.slice(from)
}

/** Whether one of the texts holds a run that is looked for. */
export const holdsVerbatim = (texts: readonly string[], verbatim: ReadonlySet<string>): boolean =>
  verbatim.size > 0 && texts.some((text) => cutVerbatim(text, verbatim) !== text)
