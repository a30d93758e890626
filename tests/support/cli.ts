/** The command line: as a process of its own (end to end), or one command on a store in this process (fast). */
import { join } from 'node:path'
import { nodeDisk } from '../../src/base/disk.ts'
import type { Session } from '../../src/cli/session.ts'
import { steady } from '../../src/cli/style.ts'
import { openMemory } from '../../src/memory/open.ts'
import { settingsOf } from '../../src/memory/place.ts'
import { type Finished, inheritedEnv, runChild } from './child.ts'

/** As built: the end-to-end project builds it before its first file. */
const MAIN = join(import.meta.dirname, '..', '..', 'lib', 'cli', 'main.js')

/** `mnemos …` with nothing of this machine's own profiles in reach. */
export const runCli = (args: string[], env: Record<string, string>): Promise<Finished> =>
  runChild(process.execPath, [MAIN, ...args], {
    cwd: env.DSH_HOME ?? '/',
    env: { ...inheritedEnv(), PATH: process.env.PATH ?? '', ...env },
  })

export interface InProcess {
  session: Session
  /** What was printed last: the value for scripts and the lines for a person. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape; a wrong path fails the test.
  said(): { value: any; text: string }
}

/** @param profiles those that use the folder; their settings hold, but that every look is a new one. */
export async function inProcess(root: string, profiles: readonly string[] = []): Promise<InProcess> {
  const dshHome = process.env.DSH_HOME ?? `${root}-home`
  const memory = openMemory({
    root,
    config: { ...settingsOf(nodeDisk, dshHome, profiles), scanEveryMs: 0 },
    clock: { now: () => Date.now() },
    disk: nodeDisk,
    dshHome,
    environment: {},
  })
  await memory.store.refresh()
  let last: { value: unknown; text: string } = { value: undefined, text: '' }
  const print = (value: unknown, lines: string[]) => {
    last = { value, text: lines.map(steady).join('\n') }
  }
  return {
    session: {
      memory,
      store: memory.store,
      profiles,
      json: false,
      began: performance.now(),
      print,
      printText: (value, text) => print(value, [text]),
    },
    said: () => last,
  }
}
