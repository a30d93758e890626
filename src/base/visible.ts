/** Text as a person is to judge it: whatever cannot be seen is shown as an escape. */

const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** `text` with every control, zero-width and direction character and every space but the plain one escaped. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => {
    if (character === ' ') return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`
  })
