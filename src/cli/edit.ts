/** `mnemos edit <id>`: the record's file in the person's editor, then through the store as every other write. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { readOnlyError } from '../files/claim.ts'
import { explained } from '../messages/messages.ts'
import { decode, plainBytes } from '../record/encoding.ts'
import type { Conflict } from '../record/merge.ts'
import type { Committed } from '../store/commit.ts'
import { personContext } from '../store/turn-context.ts'
import { editorOf, runEditor } from './editor.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'

export async function editCommand({ store, print }: Session, id: string): Promise<void> {
  refuseInsideHost('edit')
  if (store.readOnly !== undefined) throw readOnlyError(store.readOnly)
  const { text: base, file, copies } = await store.get(id)
  const editor = editorOf(process.env, process.stdin.isTTY === true)
  const folder = mkdtempSync(join(tmpdir(), 'mnemos-edit-'))
  const copy = join(folder, basename(file))
  writeFileSync(copy, base, { mode: 0o600 })
  let done = false
  try {
    const committed = await editedRecord(store, id, base, copy, editor)
    done = true
    report(
      print,
      id,
      file,
      committed,
      copies.map((copy) => copy.file),
    )
  } catch (error) {
    const text = textOf(copy)
    // Nothing of the person's is lost by taking the copy away.
    done = text === undefined || text === base || text.trim() === ''
    throw done ? error : kept(explained(error), copy)
  } finally {
    // The whole folder: editors leave backups beside the file.
    if (done) rmSync(folder, { recursive: true, force: true })
  }
}

async function editedRecord(
  store: Session['store'],
  id: string,
  base: string,
  copy: string,
  editor: string,
): Promise<Committed | undefined> {
  const problem = await runEditor(editor, copy)
  if (problem !== undefined)
    throw new MnemosError(
      'REFUSED',
      `Nothing was stored: the editor "${editor}" was not closed well (${problem}).`,
    )
  const bytes = nodeDisk.read(copy)
  if (!bytes || bytes.toString('utf8').trim() === '') {
    throw new MnemosError(
      'INVALID_INPUT',
      'The text is empty; nothing was changed.',
      `To delete the record: mnemos delete ${id}`,
    )
  }
  // Some editors write a byte order mark or Windows line ends; the person did not mean them.
  const mine = decode(plainBytes(bytes))
  return mine === base ? undefined : store.commit([{ act: 'edit', id, base, mine }], personContext())
}

function textOf(copy: string): string | undefined {
  try {
    return nodeDisk.read(copy)?.toString('utf8')
  } catch {
    // An editor put something else there: it stays for the person to look at.
    return '?'
  }
}

function kept(error: unknown, copy: string): MnemosError {
  const [code, problem] =
    error instanceof MnemosError ? [error.code, error.message] : (['STORAGE', `${reasonOf(error)}.`] as const)
  const sentence = /[.!?]$/.test(problem) ? problem : `${problem}.`
  return new MnemosError(code, sentence, `Nothing was stored; your text is kept in ${copy}`, { cause: error })
}

function report(
  print: Session['print'],
  id: string,
  file: string,
  committed: Committed | undefined,
  copies: readonly string[],
): void {
  const record = committed?.records[0]
  const written = committed !== undefined && !committed.existing
  const conflicts = committed?.merged?.conflicts ?? []
  const value = {
    id,
    file,
    written,
    ...(record ? { rev: record.rev } : {}),
    merged: committed?.merged !== undefined,
    conflicts,
    warnings: committed?.warnings ?? [],
  }
  print(value, [
    written
      ? `Stored ${id}.`
      : 'Nothing was changed. An editor that opens a window of its own must be told to wait, as in EDITOR="code --wait".',
    ...(committed?.merged ? ['It was changed on disk meanwhile; both changes are in it now.'] : []),
    ...conflicts.map(conflictSentence),
    ...(committed?.warnings ?? []),
    ...copies.map((copy) => `Another file with this id, untouched: ${copy}`),
  ])
}

const conflictSentence = ({ field, kept: stands }: Conflict): string =>
  field === 'content'
    ? 'Conflict: both changed the same lines of the content; both versions stand there, marked by <<<<<<< and >>>>>>>.'
    : `Conflict: both changed ${field}; it is now ${JSON.stringify(stands)}, and the other version is noted below the content.`
