/** Which records recall leaves out unless it is asked for them, and which workspace a record belongs to. */
import { plainKind } from '../../record/kinds.ts'
import type { MemoryRecord } from '../../record/record.ts'

/** What recall leaves out unless it is asked for. */
export const INCLUDES = ['deprecated', 'archived', 'candidate', 'verdict', 'giant'] as const
/** What a request can ask for in addition. */
export type Include = (typeof INCLUDES)[number]
/** Why a record that matches is not shown. */
export const LEFT_OUTS = [...INCLUDES, 'isolated'] as const
export type LeftOut = (typeof LEFT_OUTS)[number]

/** What decides whether a record is left out; of an indexed record or of one that was just read. */
export interface LeaveOutFacts {
  status: string
  kind: string
  source: string
  giant: boolean
  elsewhere: boolean
}

/** What the request and the configuration ask for. */
export interface Rules {
  include: readonly Include[]
  isolate: boolean
}

/** Why a record is left out; undefined where it is shown. Of several reasons the first in this order is told. */
export function leftOutAs(standing: LeaveOutFacts, rules: Rules): LeftOut | undefined {
  if (rules.isolate && standing.elsewhere) return 'isolated'
  const reasons: [Include, boolean][] = [
    ['candidate', standing.status === 'candidate'],
    ['deprecated', standing.status === 'deprecated'],
    ['verdict', standing.kind === 'validation' || standing.source === 'validated'],
    ['giant', standing.giant],
    ['archived', standing.status === 'archived'],
  ]
  return reasons.find(([reason, applies]) => applies && !rules.include.includes(reason))?.[0]
}

/** {@link leftOutAs} turned into a condition over the index's `docs d`; only numbers from code enter it. */
export function allowedSql(
  rules: Rules & { giantBytes: number; workspace: number | undefined; archived: boolean },
): string {
  const included = (reason: Include) => rules.include.includes(reason)
  const statuses = ['candidate', 'deprecated'].filter((status) => !included(status as Include))
  if (!included('archived') && !rules.archived) statuses.push('archived')
  return [
    ...statuses.map((status) => `d.status <> '${status}'`),
    ...(included('verdict') ? [] : ["d.kind <> 'validation' AND d.source <> 'validated'"]),
    ...(included('giant') ? [] : [`d.size <= ${Math.floor(rules.giantBytes)}`]),
    ...(rules.isolate && rules.workspace !== undefined
      ? [`(d.workspace IS NULL OR d.workspace = ${rules.workspace})`]
      : []),
    '1',
  ].join(' AND ')
}

/** Whether a record belongs to another workspace than the present one; one without a workspace belongs to all. */
export const isElsewhere = (own: string | undefined, present: string | undefined): boolean =>
  present !== undefined && own !== undefined && own !== present

/** Files above `giantBytes` are giants. */
export const leaveOutFacts = (
  record: MemoryRecord,
  file: { size: number },
  giantBytes: number,
  workspace: string | undefined,
): LeaveOutFacts => ({
  status: record.status,
  kind: plainKind(record.kind),
  source: record.source,
  giant: file.size > giantBytes,
  elsewhere: isElsewhere(record.workspace, workspace),
})
