/** Text for a person to judge: characters that cannot be seen are shown as escapes, and misleading words are marked. */

const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu
const SEEN = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether there is anything in a text that can be seen. */
export const canBeSeen = (text: string): boolean => SEEN.test(text)

/** `text` with every control, zero-width and direction character and every space but the plain one escaped. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => {
    if (character === ' ') return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`
  })

/** Scripts whose letters look like those of another one. Chinese, Japanese and Korean are often mixed with Latin and are left out. */
const LOOK_ALIKES = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Cherokee',
  'Coptic',
  'Hebrew',
  'Arabic',
  'Lisu',
  'Osage',
  'Gothic',
  'Old_Italic',
  'Deseret',
  'Tifinagh',
  'Canadian_Aboriginal',
] as const
const SCRIPTS = LOOK_ALIKES.map((name) => ({
  name,
  letter: new RegExp(`(?=\\p{L})\\p{Script=${name}}`, 'u'),
}))
const CJK_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}`
/** What cannot be seen does not end a word. */
const WORD = new RegExp(
  `(?:(?![${CJK_SCRIPTS}])[\\p{L}\\p{M}\\p{N}\\p{Default_Ignorable_Code_Point}_])+`,
  'gu',
)

/** As {@link visible}, and words that mix scripts, as a Cyrillic а in a Latin word does, are marked after the word. */
export const judged = (text: string): string =>
  visible(
    text.replace(WORD, (word) => {
      const scripts = SCRIPTS.filter(({ letter }) => letter.test(word)).map(({ name }) => name)
      return scripts.length < 2 ? word : `${word}[mixed scripts: ${scripts.join(', ').replaceAll('_', ' ')}]`
    }),
  )
