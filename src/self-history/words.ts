/** Our own words in the self-history, by language. */
import type { Language } from '../base/language.ts'

export interface SelfHistoryWords {
  /** Headings; each ends with a colon. */
  identity: string
  decisions: string
  experience: string
  /** How many entries under a heading have no room. */
  more(heading: string, n: number): string
  /** How many entries wait for the person. */
  waiting(n: number): string
}

export const SELF_HISTORY_WORDS: Readonly<Record<Language, SelfHistoryWords>> = {
  en: {
    identity: 'Identity:',
    decisions: 'Last decisions:',
    experience: 'Experience:',
    more: (heading, n) => `${heading} ${n} more not shown`,
    waiting: (n) => `${n === 1 ? '1 entry waits' : `${n} entries wait`} for the person: mnemos candidates`,
  },
  zh: {
    identity: '身份：',
    decisions: '最近的决定：',
    experience: '经验：',
    more: (heading, n) => `${heading}另有 ${n} 条未展示`,
    waiting: (n) => `有 ${n} 条等待本人决定：mnemos candidates`,
  },
}
