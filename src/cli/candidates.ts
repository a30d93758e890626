/** `mnemos candidates`, `accept`, `dismiss`: what waits for a decision, and the person's own decision on it. */
import { answerAccept, answerCandidates, answerDismiss, type Candidate } from '../answers/candidates.ts'
import { visible } from '../base/visible.ts'
import { shownDay } from '../record/day.ts'
import { personContext } from '../store/turn-context.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'
import { bold, dim } from './style.ts'

export async function candidatesCommand({ store, print }: Session): Promise<void> {
  refuseInsideHost('candidates')
  const waiting = await answerCandidates(store)
  print(
    waiting,
    waiting.length === 0
      ? ['Nothing waits for a decision.']
      : [
          ...waiting.map(candidateLine),
          dim('Read one: mnemos show <id>. Decide: mnemos accept <id>, mnemos dismiss <id>.'),
        ],
  )
}

function candidateLine({ id, kind, source, reason, exposedTo, created, summary }: Candidate): string {
  const from = source === 'external' ? ['external'] : []
  const met = exposedTo.length > 0 ? [`had met ${exposedTo.join(', ')}`] : []
  const about = [kind, reason, ...from, ...met].join(', ')
  return `${bold(id)}  ${dim(`${shownDay(created)} ${visible(about)}`)}  ${visible(summary)}`
}

export async function acceptCommand({ store, print }: Session, id: string): Promise<void> {
  refuseInsideHost('accept')
  const accepted = await answerAccept(store, id, personContext())
  const { derivedFrom, warnings } = accepted
  print(accepted, [
    derivedFrom === undefined
      ? `Accepted ${accepted.id}.`
      : `Accepted ${derivedFrom.join(', ')} as the new record ${accepted.id}; the external one is deprecated and stays readable.`,
    ...warnings,
  ])
}

export async function dismissCommand(
  { store, print }: Session,
  id: string,
  { why }: { why?: string },
): Promise<void> {
  refuseInsideHost('dismiss')
  const dismissed = await answerDismiss(store, { id, why }, personContext())
  print(dismissed, [
    `Dismissed ${dismissed.id}. It stays readable: mnemos show ${dismissed.id}`,
    ...dismissed.warnings,
  ])
}
