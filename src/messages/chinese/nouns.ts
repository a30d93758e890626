/** What other rooms call their own, in Chinese. */
const NOUNS: Readonly<Record<string, string>> = { 'user memory': '用户记忆' }

/** @param noun as its room calls it. */
export const nounOf = (noun: string): string => NOUNS[noun] ?? noun
