/**
 * The person's editor in the crash run: it knows of no lock and saves in the ways that editors do. A careful one: it
 * looks once more whether the file is still what it read just before it saves.
 * argv: journal folder, name, milliseconds between saves, the files.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Journal } from './journal.ts'

const [journals = '', who = '', pause = '10', ...files] = process.argv.slice(2)
const journal = new Journal(journals, who)
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
const stem = (file: string) => basename(file, '.md')

type Save = (file: string, line: string) => boolean

/** Appends to the file that lies there now, and looks whether it is still that file. */
const append: Save = (file, line) => {
  const fd = openSync(file, 'a')
  try {
    writeSync(fd, `${line}\n`)
    fsyncSync(fd)
    return statSync(file).ino === fstatSync(fd).ino
  } finally {
    closeSync(fd)
  }
}

/** Saves the whole text in one of the usual ways, unless the file changed since it was read. */
const whole =
  (save: (file: string, text: string) => void): Save =>
  (file, line) => {
    const before = readFileSync(file, 'utf8')
    if (!before.startsWith('---\n') || !before.endsWith('\n')) return false
    const after = `${before}${line}\n`
    if (readFileSync(file, 'utf8') !== before) return false
    save(file, after)
    return true
  }

const STYLES: Record<string, Save> = {
  append,
  'in place': whole((file, text) => writeFileSync(file, text)),
  rename: whole((file, text) => {
    const temporary = join(dirname(file), `.${basename(file)}.swp`)
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  }),
  'backup and rename': whole((file, text) => {
    const temporary = join(dirname(file), '4913')
    writeFileSync(`${file}~`, readFileSync(file))
    writeFileSync(temporary, text)
    renameSync(temporary, file)
    rmSync(`${file}~`)
  }),
  'unlink and recreate': whole((file, text) => {
    rmSync(file)
    appendFileSync(file, text)
  }),
}

// A person does not pull the plug in the middle of a save: what that leaves is the editor's doing.
process.on('SIGTERM', () => process.exit(0))
const chosen = Object.keys(STYLES)
for (let n = 1; ; n++) {
  const style = Math.random() < 0.5 ? 'append' : pick(chosen)
  const file = pick(files)
  const line = `${who}${style.slice(0, 2).trim()}${n}`
  const note = journal.will({ deed: 'lines', ids: [stem(file)], line, rewrites: style !== 'append' })
  try {
    const saved = STYLES[style]?.(file, line)
    if (saved) note.done()
    else note.refused(`${style}: the file changed while it was open`)
  } catch (error) {
    note.refused(`${style}: ${String(error)}`)
  }
  await sleep(Number(pause) * (0.5 + Math.random()))
}
