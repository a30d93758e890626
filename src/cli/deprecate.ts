/** `mnemos deprecate <id>`: what the tool does, in the person's name. */
import { answerDeprecate } from '../answers/deprecate.ts'
import { personContext } from '../store/turn-context.ts'
import { refuseInsideHost } from './person-only.ts'
import type { Session } from './session.ts'

export async function deprecateCommand(
  { store, print }: Session,
  id: string,
  { why, by }: { why: string; by?: string },
): Promise<void> {
  refuseInsideHost('deprecate')
  const answer = await answerDeprecate(store, { id, why, supersededBy: by }, personContext())
  print(answer, [
    `Deprecated ${answer.id}${by === undefined ? '' : `; ${by} holds instead`}. It stays readable: mnemos show ${answer.id}`,
    ...answer.warnings,
  ])
}
