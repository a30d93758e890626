/** `mnemos user-memory list`, `show <name>` and `add <name>`: facts that the person keeps for every session. */
import { answerAddEntry, answerEntries, answerEntry } from '../answers/user-memory.ts'
import { MnemosError } from '../base/errors.ts'
import { visible } from '../base/visible.ts'
import { personContext } from '../store/turn-context.ts'
import { type Entry, TYPES } from '../user-memory/entry.ts'
import { refuseInsideHost } from './person-only.ts'
import { beside, type Session, skippedLines } from './session.ts'
import { bold, dim } from './style.ts'

export async function listEntriesCommand({ memory, print, json }: Session): Promise<void> {
  const answer = answerEntries(memory.userMemory)
  const { entries, skipped } = answer
  print(
    answer,
    entries.length === 0
      ? ['The user memory is empty. Add to it: mnemos user-memory add <name> --summary <text>']
      : entries.map(
          ({ name, type, summary, details }) =>
            `${bold(name)}  ${dim(type)}  ${visible(summary)}${details === '' ? '' : dim(' (+details)')}`,
        ),
  )
  if (!json) beside(skippedLines(skipped.length))
}

export async function showEntryCommand({ memory, print, json }: Session, name: string): Promise<void> {
  const entry = answerEntry(memory.userMemory, name)
  if (!json) beside([entry.file])
  print(entry, [
    `${bold(entry.name)}  ${dim(entry.type)}  ${visible(entry.summary)}`,
    ...(entry.details === '' ? [] : ['', ...entry.details.split('\n').map((line) => visible(line))]),
  ])
}

export interface AddOptions {
  type: string
  summary: string
  details?: string
  overwrite?: boolean
}

export async function addEntryCommand(
  { memory, print }: Session,
  name: string,
  { type, summary, details = '', overwrite = false }: AddOptions,
): Promise<void> {
  refuseInsideHost('user-memory add')
  const entry: Entry = { name, type: typeNamed(type), summary, details }
  const mode = overwrite ? 'overwrite' : 'create'
  const added = await answerAddEntry(memory.userMemory, entry, mode, personContext())
  print(added, [
    added.saved ? `Saved: ${added.file}` : `${added.file} says exactly this already; nothing was written.`,
    ...added.warnings,
  ])
}

function typeNamed(name: string): Entry['type'] {
  const type = TYPES.find((one) => one === name)
  if (type !== undefined) return type
  throw new MnemosError(
    'INVALID_INPUT',
    `"${name}" is no type of a user memory.`,
    `Take ${TYPES.join(', ')}.`,
  )
}
