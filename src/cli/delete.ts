/** `mnemos delete <id>`: the person's own; the host's shell may not run it. */
import { confirm, isCancel } from '@clack/prompts'
import { MnemosError } from '../base/errors.ts'
import { visible } from '../base/visible.ts'
import { RUN } from '../record/verbatim.ts'
import type { Alike } from '../store/places.ts'
import { personContext } from '../store/turn-context.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'

export async function deleteCommand(
  { store, print, json }: Session,
  id: string,
  options: { yes?: boolean },
): Promise<void> {
  refuseInsideHost('delete')
  const { record, shown, file, copies } = await store.get(id)
  const files = [file, ...copies.map((copy) => copy.file)]
  if (options.yes !== true) {
    if (json || !process.stdin.isTTY) {
      throw new MnemosError(
        'REFUSED',
        `Nothing was deleted: there is no terminal to ask at.`,
        `Where that is meant: mnemos delete ${id} --yes`,
      )
    }
    const others = copies.map((copy) => `\n  also ${copy.file}: "${visible(copy.summary)}"`).join('')
    const sure = await confirm({
      message: `Delete "${visible(record.summary)}" (${file}) for good?${others}`,
      initialValue: false,
    })
    if (isCancel(sure) || !sure) throw new MnemosError('REFUSED', 'Nothing was deleted.')
  }
  const { erased, left, alike } = await store.delete(record.id, personContext(), shown)
  const value = { id: record.id, deleted: left.length === 0, files, erased, left }
  print(
    { ...value, alike: alike.map((one) => one.file), alikeRecords: alike.flatMap((one) => one.record ?? []) },
    [
      `Deleted ${record.id} (${files.length === 1 ? 'one file' : `${files.length} files`}).`,
      `Looked through and cleared of it: ${erased.join(', ')}.`,
      ...left.map(
        ({ place, reason }) => `Not cleared yet: ${place} (${reason}). It is tried again at the next write.`,
      ),
      ...alike.map(alikeSentence),
      "The host's own session logs still hold the conversation in which it was said.",
    ],
  )
  if (left.length > 0) process.exitCode = 1
}

function alikeSentence({ file, record, unknown }: Alike): string {
  if (unknown !== undefined)
    return `Whether words of it also stand in ${file} is not known (${unknown}): look with mnemos search.`
  const where = `Words of it, ${RUN} in a row or more, also stand in ${file}`
  return record === undefined
    ? `${where}, which you approved on its own: edit or remove that file yourself.`
    : `${where}, a record that stays: where it is to go too, mnemos delete ${record}`
}
