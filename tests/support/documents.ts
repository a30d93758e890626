/** What README and INSTALL say in either language, cut into what can be run and compared. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Each page with its twin in the other language. */
export const TWINS = [
  ['README.md', 'README.zh.md'],
  ['INSTALL.md', 'INSTALL.zh.md'],
] as const

export interface Block {
  page: string
  /** As it stands behind the fence: `sh`, `yaml`; empty where nothing does. */
  language: string
  text: string
}

export const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

export function blocksOf(page: string): Block[] {
  return [...readPage(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    page,
    language,
    text,
  }))
}

/** The page without its blocks. */
export const proseOf = (page: string): string => readPage(page).replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '')

/** A block without what is for the reader and in the reader's language: comments, and what is said to the assistant. */
export const neutral = ({ text }: Block): string =>
  text
    .replaceAll(/ +# .*$/gm, '')
    .replaceAll(/^(dsh --profile \w+) "[^"]*"$/gm, '$1 "…"')
    .trim()
