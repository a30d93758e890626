/** Opens the memory that a command is about, and prints what it answers. */
import { assertDataFolder } from '../answers/choose-folder.ts'
import type { Environment } from '../files/data-folder.ts'
import { chosenMemory } from '../memory/choose.ts'
import type { Memory } from '../memory/open.ts'
import type { Store } from '../store/store.ts'
import { progressBar } from './progress.ts'
import { steady, wholeText } from './style.ts'

export interface Globals {
  profile?: string
  data?: string
  json?: boolean
}

export interface Printer {
  json: boolean
  /** Prints a command's answer: the value for scripts, or the lines for a person. */
  print(value: unknown, lines: string[]): void
  /** The same, where the answer is a whole text: redirected it is that to the letter. */
  printText(value: unknown, text: string): void
}

export interface Session extends Printer {
  memory: Memory
  store: Store
  /** When the store began to be opened, by `performance.now()`. */
  began: number
  /** Those that are known to use the folder. */
  profiles: readonly string[]
}

export function printer({ json = false }: Globals): Printer {
  const out = (value: unknown, text: string) => {
    process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : text)
  }
  return {
    json,
    print: (value, lines) => out(value, lines.map((line) => `${steady(line)}\n`).join('')),
    printText: (value, text) => out(value, `${wholeText(text)}\n`),
  }
}

/** What a person is to know and is no part of the answer: on stderr, so that the answer can be redirected. */
export function beside(lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${steady(line)}\n`).join(''))
}

/** What a look at the records left out because it could not be read. @param skipped how many files. */
export function skippedLines(skipped: number): string[] {
  if (skipped === 0) return []
  const are = skipped === 1 ? 'One file is' : `${skipped} files are`
  return [`mnemos: ${are} skipped; mnemos doctor says why and what to do.`]
}

/** @throws MnemosError when it is not clear which folder is meant, or there is none. */
export async function openSession(
  globals: Globals,
  environment: Environment = process.env,
): Promise<Session> {
  const began = performance.now()
  const { memory, profiles } = chosenMemory(globals, environment)
  const { store } = memory
  assertDataFolder(memory.home)
  await store.refresh(progressBar('Indexing'))
  return { memory, store, began, profiles, ...printer(globals) }
}
