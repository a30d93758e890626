/**
 * The self-history as it stands in the requests of main sessions: who the assistant is, what it decided last and what
 * it learnt. One line a record, within budgets that no record can exceed.
 */

import { dataLine } from '../base/data-line.ts'
import type { Language } from '../base/language.ts'
import { countCharacters, cut } from '../base/text.ts'
import { plainKind } from '../record/kinds.ts'
import { type MemoryRecord, SUMMARY_LIMIT } from '../record/record.ts'
import { knownTime } from '../record/times.ts'
import { isElsewhere } from '../search/recall/leave-outs.ts'
import {
  DECISIONS,
  EXPERIENCES,
  ID_CHARACTERS,
  IDENTITY_BLOCK_CHARACTERS,
  IDENTITY_CHARACTERS,
  IDENTITY_ENTRIES,
  LINE_CHARACTERS,
} from './budget.ts'
import { OVERFLOW } from './waiting.ts'
import { SELF_HISTORY_WORDS } from './words.ts'

/** Who reads, and when. */
export interface HistoryReader {
  workspace: string | undefined
  /** Records of another workspace than the reader's are not shown, nor counted. */
  isolate: boolean
  /** Milliseconds since the epoch. */
  now: number
}

/** Chooses which experiences stand in view. @param all the newest last. */
export type Choose = (all: readonly MemoryRecord[], limit: number) => readonly MemoryRecord[]

/** Until a curator has chosen. */
export const chooseNewest: Choose = (all, limit) => all.slice(-limit).reverse()

/** Whether a record may stand in the reader's view at all. External text never does. */
export function isShowable(record: MemoryRecord, reader: HistoryReader): boolean {
  return (
    record.status === 'active' &&
    record.confirmed &&
    record.source !== 'external' &&
    record.source !== 'validated' &&
    record.supersededBy.length === 0 &&
    !(record.validUntil !== undefined && Date.parse(record.validUntil) < reader.now) &&
    !isHidden(record, reader)
  )
}

const isHidden = (record: MemoryRecord, { isolate, workspace }: HistoryReader): boolean =>
  isolate && isElsewhere(record.workspace, workspace)

/** A record's summary as it is shown. */
const shownSummary = ({ summary }: MemoryRecord): string =>
  cut(dataLine(cut(summary, SUMMARY_LIMIT)), SUMMARY_LIMIT)

const idOf = ({ id }: MemoryRecord): string => cut(dataLine(id), ID_CHARACTERS)

const entryLine = (before: string, text: string, record: MemoryRecord): string =>
  `- ${before}${text} (${idOf(record)})`

/** What identity entries take: characters of their text, and of the lines that they stand in. */
export interface Room {
  entries: number
  text: number
  block: number
}

function roomOf(record: MemoryRecord): Room {
  const text = shownSummary(record)
  return {
    entries: 1,
    text: countCharacters(text),
    block: countCharacters(entryLine('', text, record)) + 1,
  }
}

const NO_ROOM: Room = { entries: 0, text: 0, block: 0 }

const sumOf = (a: Room, b: Room): Room => ({
  entries: a.entries + b.entries,
  text: a.text + b.text,
  block: a.block + b.block,
})

/** What a set of identity entries takes together. */
export const roomFor = (records: readonly MemoryRecord[]): Room => records.map(roomOf).reduce(sumOf, NO_ROOM)

export const fits = ({ entries, text, block }: Room): boolean =>
  entries <= IDENTITY_ENTRIES && text <= IDENTITY_CHARACTERS && block <= IDENTITY_BLOCK_CHARACTERS

/** The identity entries that the budget has room for: the oldest first, passing over one that does not fit. */
export function shownIdentity(records: readonly MemoryRecord[]): MemoryRecord[] {
  let room = NO_ROOM
  return records.filter((record) => {
    const next = sumOf(room, roomOf(record))
    if (!fits(next)) return false
    room = next
    return true
  })
}

/**
 * A decision or an experience on its line; a long text is cut, so that no entry changes the line of another. A time that
 * is still to come is no date of anything, and is not shown.
 */
function datedLine(record: MemoryRecord, now: number): string {
  const before = knownTime(record.created, now) === undefined ? '' : `${record.created.slice(0, 10)} `
  const text = shownSummary(record)
  const over = countCharacters(entryLine(before, text, record)) - LINE_CHARACTERS
  return entryLine(before, over > 0 ? cut(text, countCharacters(text) - over) : text, record)
}

const ofKind = (records: readonly MemoryRecord[], kind: string) =>
  records.filter((record) => plainKind(record.kind) === kind)

function block(title: string, lines: readonly string[], hidden: string): string[] {
  if (lines.length === 0 && hidden === '') return []
  return [title, ...lines, ...(hidden === '' ? [] : [hidden])]
}

/** From oldest first to newest last: what is of an unknown time is last in the one and first in the other. */
function newestLast(records: readonly MemoryRecord[], now: number): MemoryRecord[] {
  const [unknown, known] = [true, false].map((is) =>
    records.filter(({ created }) => (knownTime(created, now) === undefined) === is),
  )
  return [...(unknown ?? []).reverse(), ...(known ?? [])]
}

/**
 * The text of the part; empty where there is nothing to show.
 * @param records identity, decisions and experience of every status, oldest first.
 * @param language of our own words.
 */
export function drawSelfHistory(
  records: readonly MemoryRecord[],
  reader: HistoryReader,
  language: Language,
  choose: Choose = chooseNewest,
): string {
  const showable = records.filter((record) => isShowable(record, reader))
  const identity = ofKind(showable, 'identity')
  const dated = newestLast(showable, reader.now)
  const decisions = ofKind(dated, 'decision')
  const experiences = ofKind(dated, 'experience')

  const overflow = ofKind(records, 'identity').filter(
    (record) =>
      record.status === 'candidate' && record.candidateReason === OVERFLOW && !isHidden(record, reader),
  )
  const shown = shownIdentity(identity)
  const lastDecisions = chooseNewest(decisions, DECISIONS)
  const chosen = choose(experiences, EXPERIENCES).slice(0, EXPERIENCES)
  const lineOf = (record: MemoryRecord) => datedLine(record, reader.now)

  const words = SELF_HISTORY_WORDS[language]
  const more = (title: string, n: number) => (n > 0 ? words.more(title, n) : '')
  return [
    ...block(
      words.identity,
      shown.map((record) => entryLine('', shownSummary(record), record)),
      more(words.identity, identity.length - shown.length + overflow.length),
    ),
    ...block(
      words.decisions,
      lastDecisions.map(lineOf),
      more(words.decisions, decisions.length - lastDecisions.length),
    ),
    ...block(
      words.experience,
      chosen.map(lineOf),
      more(words.experience, experiences.length - chosen.length),
    ),
  ].join('\n')
}
