/** `mnemos candidates`, `accept`, `dismiss`: what waits for a decision, and the person's own word on it. */
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { visible } from '../base/visible.ts'
import { acceptance, dismissal, reasonFor } from '../self-history/waiting.ts'
import { personContext } from '../store/turn-context.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'
import { bold, dim } from './style.ts'

export async function candidatesCommand({ store, print }: Session): Promise<void> {
  refuseInsideHost('candidates')
  await store.refresh()
  const waiting = store.waiting()
  print(
    waiting.map((record) => ({
      id: record.id,
      kind: record.kind,
      source: record.source,
      status: record.status,
      reason: reasonFor(record),
      summary: record.summary,
      author: record.author,
      exposedTo: record.exposedTo,
      created: record.created,
    })),
    waiting.length === 0
      ? ['Nothing waits for a decision.']
      : [
          ...waiting.map((record) => {
            const from = record.source === 'external' ? ['external'] : []
            const met = record.exposedTo.length > 0 ? [`had met ${record.exposedTo.join(', ')}`] : []
            const about = [record.kind, reasonFor(record), ...from, ...met].join(', ')
            return `${bold(record.id)}  ${dim(`${record.created.slice(0, 10)} ${visible(about)}`)}  ${visible(record.summary)}`
          }),
          dim('Read one: mnemos show <id>. Decide: mnemos accept <id>, mnemos dismiss <id>.'),
        ],
  )
}

export async function acceptCommand({ store, print }: Session, id: string): Promise<void> {
  refuseInsideHost('accept')
  const context = personContext()
  const { record } = await store.get(id)
  const acts = acceptance(record, store.newId(), { by: context.author, at: iso(store.now()) })
  const { records, warnings } = await store.commit(acts, context)
  const [stored] = records
  if (!stored) throw new MnemosError('STORAGE', 'Nothing was written.')
  const isNew = stored.id !== record.id
  print(
    {
      id: stored.id,
      status: stored.status,
      layer: stored.layer,
      source: stored.source,
      ...(isNew ? { derivedFrom: stored.derivedFrom } : {}),
      warnings,
    },
    [
      isNew
        ? `Accepted ${record.id} as the new record ${stored.id}; the external one is deprecated and stays readable.`
        : `Accepted ${record.id}.`,
      ...warnings,
    ],
  )
}

export async function dismissCommand(
  { store, print }: Session,
  id: string,
  { why = 'dismissed by the person' }: { why?: string },
): Promise<void> {
  refuseInsideHost('dismiss')
  if (why.trim() === '')
    throw new MnemosError('INVALID_INPUT', '--why is empty.', 'Say why it is dismissed, or leave --why out.')
  const context = personContext()
  const { record } = await store.get(id)
  const acts = dismissal(record, why, { by: context.author, at: iso(store.now()) })
  const { records, warnings } = await store.commit(acts, context)
  const [stored] = records
  if (!stored) throw new MnemosError('STORAGE', 'Nothing was written.')
  print({ id: stored.id, status: stored.status, why: stored.deprecated?.why, warnings }, [
    `Dismissed ${stored.id}. It stays readable: mnemos show ${stored.id}`,
    ...warnings,
  ])
}
