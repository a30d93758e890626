/** `mnemos deprecate <id>`: the tool's own act, in the person's name. */
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { deprecation } from '../store/correction.ts'
import { personContext } from '../store/turn-context.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'

export async function deprecateCommand(
  { store, print }: Session,
  id: string,
  { why, by }: { why: string; by?: string },
): Promise<void> {
  refuseInsideHost('deprecate')
  if (why.trim() === '')
    throw new MnemosError('INVALID_INPUT', '--why is empty.', 'Say why the record no longer holds.')
  if (by === id)
    throw new MnemosError(
      'INVALID_INPUT',
      'A record cannot supersede itself.',
      'Name the record that holds instead.',
    )
  const { record: before } = await store.get(id)
  const context = personContext()
  const { records, warnings } = await store.commit(
    deprecation(id, iso(store.now()), context.author, why, by),
    context,
  )
  const [record] = records
  if (!record) throw new MnemosError('STORAGE', 'Nothing was written.')
  const said = before.deprecated
    ? [`It was deprecated already on ${before.deprecated.at}; that reason stays.`, ...warnings]
    : warnings
  print({ id, status: record.status, supersededBy: record.supersededBy, warnings: said }, [
    `Deprecated ${id}${by === undefined ? '' : `; ${by} holds instead`}. It stays readable: mnemos show ${id}`,
    ...said,
  ])
}
