/** What a part of the house contributes to an opened memory. One entry in `open.ts` names it; nothing else has to. */
import type { Finding } from '../doctor/finding.ts'
import type { Gate } from '../store/admission.ts'
import type { Place } from '../store/places.ts'
import type { Tool } from '../tools/tool.ts'
import type { Part } from '../view/view.ts'

export interface Service {
  /** In the order in which the documents list them; the model gets them by name. */
  tools?: readonly Tool[]
  parts?: readonly Part[]
  /** Asked in the order of the services. */
  gates?: readonly Gate[]
  /** Where it keeps text of records. */
  places?: readonly Place[]
  /** Finishes what an earlier run left. Must not reject. */
  settle?(): Promise<void>
  /** Before the first request of a turn is put together: at once, and it must not throw. */
  beginTurn?(): void
  /** Before the view of a turn is drawn: at once, and it must not throw. */
  freshen?(): void
  /** What the doctor says of it. It only looks. */
  examine?(): Finding[]
}
