/** `mnemos edit <id>`: the record's file in the person's editor, then through the store as every other write. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { answerEdit, type EditAnswer, editable } from '../answers/edit.ts'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { explained } from '../messages/messages.ts'
import type { Conflict } from '../record/merge.ts'
import { personContext } from '../store/turn-context.ts'
import { editorOf, runEditor } from './editor.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'

export async function editCommand({ store, print }: Session, id: string): Promise<void> {
  refuseInsideHost('edit')
  const found = await editable(store, id)
  const editor = editorOf(process.env, process.stdin.isTTY === true)
  const folder = mkdtempSync(join(tmpdir(), 'mnemos-edit-'))
  const copy = join(folder, basename(found.file))
  writeFileSync(copy, found.text, { mode: 0o600 })
  let done = false
  try {
    await closedEditor(editor, copy)
    const answer = await answerEdit(store, found, nodeDisk.read(copy) ?? undefined, personContext())
    done = true
    print(
      answer,
      editLines(
        answer,
        [...found.copies, ...found.namesakes].map((other) => other.file),
      ),
    )
  } catch (error) {
    const text = leftIn(copy)
    // Nothing of the person's is lost by removing the copy.
    done = text === undefined || text === found.text || text.trim() === ''
    throw done ? error : kept(explained(error), copy)
  } finally {
    // The whole folder: editors leave backups beside the file.
    if (done) rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits until the person closed the editor. @throws MnemosError REFUSED where it failed. */
async function closedEditor(editor: string, copy: string): Promise<void> {
  const problem = await runEditor(editor, copy)
  if (problem === undefined) return
  throw new MnemosError(
    'REFUSED',
    `Nothing was stored: the editor "${editor}" was not closed well (${problem}).`,
    'Name another in EDITOR, and try again.',
  )
}

function leftIn(copy: string): string | undefined {
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

/** @param copies other files with the record's id. */
function editLines(
  { id, written, merged, conflicts, warnings }: EditAnswer,
  copies: readonly string[],
): string[] {
  return [
    written
      ? `Stored ${id}.`
      : 'Nothing was changed. An editor that opens a window of its own must be told to wait, as in EDITOR="code --wait".',
    ...(merged ? ['It was changed on disk meanwhile; both changes are in it now.'] : []),
    ...conflicts.map(conflictSentence),
    ...warnings,
    ...copies.map((copy) => `Another file with this id, untouched: ${copy}`),
  ]
}

const conflictSentence = ({ field, kept: stands }: Conflict): string =>
  field === 'content'
    ? 'Conflict: both changed the same lines of the content; both versions stand there, marked by <<<<<<< and >>>>>>>.'
    : `Conflict: both changed ${field}; it is now ${JSON.stringify(stands)}, and the other version is noted below the content.`
