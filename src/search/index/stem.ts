/** One form for all forms of a word: folding for every script, a light stem for English. */
import { stem as porter2 } from 'porter2'

/** Letters that Unicode does not decompose, as people without that keyboard write them. */
const SPELLED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/**
 * English forms that no suffix rule reaches. Only what is common in notes and questions; the right side is what
 * the stemmer makes of the base form.
 */
const IRREGULAR_FORMS = new Map(
  `go:went,gone,goes be:been,being have:had,has,having do:did,done,does buy:bought bring:brought think:thought
  teach:taught catch:caught seek:sought fight:fought find:found get:got,gotten,getting give:gave,given
  take:took,taken,taking make:made,making write:wrote,written,writing drive:drove,driven ride:rode,ridden
  run:ran,running begin:began,begun drink:drank,drunk swim:swam,swum sing:sang,sung come:came,coming
  become:became see:saw,seen eat:ate,eaten fall:fell,fallen feel:felt keep:kept sleep:slept leave:left meet:met
  lose:lost win:won,winning sell:sold tell:told say:said pay:paid hear:heard hold:held stand:stood
  understand:understood speak:spoke,spoken break:broke,broken choose:chose,chosen wear:wore,worn grow:grew,grown
  know:knew,known throw:threw,thrown fly:flew,flown draw:drew,drawn send:sent spend:spent build:built lend:lent
  read:read lead:led feed:fed grow:grown rise:rose,risen wake:woke,woken forget:forgot,forgotten hide:hid,hidden
  bite:bit,bitten shoot:shot sit:sat light:lit learn:learnt dream:dreamt mean:meant hang:hung stick:stuck
  child:children man:men woman:women person:people foot:feet tooth:teeth mouse:mice goose:geese life:lives
  wife:wives knife:knives leaf:leaves half:halves index:indices matrix:matrices analysis:analyses`
    .split(/\s+/)
    .flatMap((entry) => {
      const [base = '', forms = ''] = entry.split(':')
      return forms.split(',').map((form) => [form, porter2(base)] as const)
    }),
)

/** `word` in lower case, width and diacritics folded: the form in which a person would compare it. */
export function fold(word: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is what is meant
  if (/^[\x00-\x7f]*$/.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFC')
}

/** A cache of words: the same few thousand make up most of any text. It is emptied when it is full. */
const done = new Map<string, { word: string; stem: string }>()
const DONE_LIMIT = 50_000

/** A word folded, and its stem. */
export function readWord(raw: string): { word: string; stem: string } {
  const known = done.get(raw)
  if (known) return known
  const word = fold(raw)
  const read = { word, stem: wordStem(word) }
  if (raw.length > 40) return read
  if (done.size >= DONE_LIMIT) done.clear()
  done.set(raw, read)
  return read
}

/** The stem of a folded word; words of other scripts, numbers and very short words are their own stem. */
export function wordStem(folded: string): string {
  if (folded.length < 3 || !/^[a-z]+$/.test(folded)) return folded
  return IRREGULAR_FORMS.get(folded) ?? porter2(folded)
}
