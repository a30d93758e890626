/** `mnemos delete <id>`: the person's own; the host's shell may not run it. */
import { confirm, isCancel } from '@clack/prompts'
import { answerDelete } from '../answers/delete.ts'
import { MnemosError } from '../base/errors.ts'
import { visible } from '../base/visible.ts'
import { deletionSentence } from '../messages/messages.ts'
import { staying } from '../store/deletion.ts'
import type { CutRecord } from '../store/places.ts'
import type { FoundRecord } from '../store/store.ts'
import { personContext } from '../store/turn-context.ts'
import { EXIT } from './exit-codes.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'

export async function deleteCommand(
  { store, print, json }: Session,
  id: string,
  { yes = false }: { yes?: boolean },
): Promise<void> {
  refuseInsideHost('delete')
  const found = await store.get(id)
  const foreseen = yes ? undefined : await store.foreseeDeletion(id, personContext())
  if (foreseen) await confirmed(found, foreseen.cut, json)
  const { value, report } = await answerDelete(store, found, personContext(), foreseen)
  const named = [...new Set([...value.cut, ...staying(report)])]
  print(value, [deletionSentence(report), ...(named.length > 0 ? [`  ${namedFew(named)}`] : [])])
  if (!value.deleted) process.exitCode = EXIT.failed
}

/** How many are named; the sentence counts all. */
const LISTED = 20

const namedFew = (stays: readonly string[]): string =>
  [...stays.slice(0, LISTED).map(visible), ...(stays.length > LISTED ? ['…'] : [])].join(', ')

/** @throws MnemosError REFUSED where the person does not agree, or nobody can be asked. */
async function confirmed(
  { record, file, copies }: FoundRecord,
  cut: readonly CutRecord[],
  json: boolean,
): Promise<void> {
  if (json || !process.stdin.isTTY) {
    throw new MnemosError(
      'REFUSED',
      'Nothing was deleted: there is no terminal to ask at.',
      `Where that is meant: mnemos delete ${record.id} --yes`,
    )
  }
  const others = [
    ...copies.map((copy) => `\n  also ${copy.file}: "${visible(copy.summary)}"`),
    ...cut.map(
      ({ id, summary }) => `\n  also cut, as it has words from it: ${visible(id)}: "${visible(summary)}"`,
    ),
  ].join('')
  const sure = await confirm({
    message: `Delete "${visible(record.summary)}" (${file}) for good?${others}`,
    initialValue: false,
  })
  if (isCancel(sure) || !sure)
    throw new MnemosError('REFUSED', 'Nothing was deleted.', 'Run it again when you want it.')
}
