/** What a kind says of a record: whose it is, who may write it, and whether it must be at hand. */
import type { MemoryRecord } from './record.ts'

/** Kinds are told apart without case, width or characters that nobody sees. */
export const plainKind = (kind: string): string =>
  kind
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase()

/** Kinds that tell who the assistant is: they belong to the self-history, whatever the caller claims. */
export const AUTOBIOGRAPHICAL_KINDS: ReadonlySet<string> = new Set(['identity', 'decision', 'experience'])
/** Kinds that the tools name to a model. */
export const PLAIN_KINDS: ReadonlySet<string> = new Set([
  'note',
  ...AUTOBIOGRAPHICAL_KINDS,
  'conclusion',
  'handoff',
])
/** Kinds that only Mnemos itself writes; nobody may claim one through a tool. */
export const OWN_KINDS: ReadonlySet<string> = new Set(['task', 'validation', 'fold', 'archive'])

/** Whether a record tells who the assistant is. Hand-written kinds are not yet in the form that a writer gives them. */
export const isAutobiographical = ({ kind }: Pick<MemoryRecord, 'kind'>): boolean =>
  AUTOBIOGRAPHICAL_KINDS.has(plainKind(kind))

/** A record that nobody has decided on: a candidate, or one that the person has not confirmed. */
export const isWaiting = ({ status, confirmed }: Pick<MemoryRecord, 'status' | 'confirmed'>): boolean =>
  status === 'candidate' || (status === 'active' && !confirmed)

/** Whether a record is one that is kept at hand. */
export const isKept = (record: MemoryRecord): boolean => isAutobiographical(record) || isWaiting(record)
