/**
 * How a folder's constitution stands: which text was approved last, whether the files say the same, and what is to be
 * said where they do not. It reads and changes nothing. The approved text is the newest one that the trusted key
 * signed, wherever it still lies (the audit, the text file itself, the pin); the trusted key is the pinned one.
 */
import { iso } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import type { ReadyFinding as Finding } from '../doctor/finding.ts'
import { type Approved, approvedIn, isGenuine, isLineOf } from './audit.ts'
import { type Constitution, hashed, type Language, split } from './constitution.ts'
import { findingsOf, newsOf, quietFindings, WITHOUT_TEXT } from './faults.ts'
import { approvedInPin, type Pin, pinOf } from './pin.ts'
import { type Home, type Seen, type State, see } from './seen.ts'
import { templateConstitution } from './template.ts'
import { approvedInFile, render } from './text-file.ts'

export interface Standing extends Seen {
  state: State
  constitution: Constitution
  /** What the doctor says of it. */
  findings: Finding[]
  /** What is to be said reported, a sentence each. */
  reported: string[]
  /** What stands in the request, where something is wrong with the files; else empty. */
  stands: string
  approved: Approved | undefined
  /** What the pin should become; undefined while it is right. */
  nextPin: Pin | undefined
  /** An approval was cut off after it was in the audit: the text file is to be written. */
  unfinished: boolean
}

/** Never throws. @param language of the template, where that stands. */
export function standing(home: Home, language: Language): Standing {
  const { disk } = home
  const seen = see(home)
  const approved = newestApproved(seen)
  return approved === undefined ? withoutText(disk, seen, language) : withText(seen, approved)
}

/** The pinned key and its successor; where nothing is pinned, the folder's own. */
function trusted({ pin, key, audit }: Seen): string[] {
  if (pin) return pin.successor === undefined ? [pin.publicKey] : [pin.publicKey, pin.successor]
  const own = key?.publicKey ?? audit.entries.at(-1)?.key
  return own === undefined ? [] : [own]
}

/** Whether nothing of it is left in the folder: neither text nor audit nor key. */
const isAllGone = ({ file, audit, key, keyFault }: Seen): boolean =>
  file.kind === 'missing' && audit.raw === undefined && key === undefined && keyFault === undefined

/** Signatures that are checked beyond the pin's, the file's and the sound audit's: false lines cost no more than that. */
const CHECKS = 100

function newestApproved(seen: Seen): Approved | undefined {
  const { file, audit, pin } = seen
  // Where all of it is gone nothing is pretended: the pin's copy is for files that were changed.
  if (isAllGone(seen)) return undefined
  const keys = trusted(seen)
  const isTrusted = ({ key }: { key: string }) => keys.includes(key)
  const inAudit = audit.entries.slice(0, audit.sound).findLast(isTrusted)
  const first = [
    pin && approvedInPin(pin),
    file.kind === 'text' ? approvedInFile(file.source, keys) : undefined,
    inAudit && approvedIn(inAudit),
  ]
  const proven = newestFirst(first.filter((one) => one !== undefined).filter(isTrusted)).find(isGenuine)
  const newer = audit.entries.filter((one) => isTrusted(one) && one.version > (proven?.version ?? 0))
  return newestFirst(newer).slice(0, CHECKS).map(approvedIn).find(isGenuine) ?? proven
}

const newestFirst = <T extends { version: number }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => b.version - a.version)

/** Nothing that the trusted key signed: the template stands. */
function withoutText(disk: Disk, seen: Seen, language: Language): Standing {
  const state = stateWithout(seen)
  const lost = state === 'lost'
  const constitution = templateConstitution(disk, language, lost ? 'lost' : 'not initialised')
  const findings = WITHOUT_TEXT[state](seen, constitution)
  return {
    ...seen,
    state,
    constitution,
    findings,
    reported: findings.map(({ sentence }) => sentence),
    stands: findings.length > 0 ? 'The shipped template stands in the request.' : '',
    approved: undefined,
    nextPin: undefined,
    unfinished: false,
  }
}

function stateWithout({ pin, audit, file, key }: Seen): Exclude<State, 'approved'> {
  if ((pin?.version ?? 0) > 0) return 'lost'
  // What cannot be read at all and has no key beside it says nothing of an approval.
  if (audit.raw !== undefined && !(audit.unreadable && key === undefined)) return 'lost'
  return file.kind === 'missing' && !audit.unreadable ? 'template' : 'waiting'
}

function withText(seen: Seen, approved: Approved): Standing {
  const { version, language, text, at } = approved
  const unfinished = isUnfinished(seen, approved)
  const wrong = findingsOf(seen, approved, unfinished)
  const news = newsOf(seen, approved)
  return {
    ...seen,
    state: 'approved',
    constitution: { initialised: true, version: String(version), language, ...hashed(text) },
    findings: [...wrong, ...news, ...quietFindings(seen, approved, unfinished)],
    reported: [...wrong, ...news].map(({ sentence }) => sentence),
    // A text that is long is still the one that is meant.
    stands: wrong.some(({ code }) => code !== 'CONSTITUTION_LONG')
      ? `Version ${version}, approved ${at.slice(0, 10)}, stands in the request.`
      : '',
    approved,
    nextPin: nextPin(seen, approved),
    unfinished,
  }
}

/** The order of an approval's writes is audit, text file, pin: a state that a crash between them leaves is no tampering. */
function isUnfinished({ file, audit, pin }: Seen, approved: Approved): boolean {
  if (!audit.entries.some(isLineOf(approved))) return false
  const behind = pin !== undefined && pin.version < approved.version
  if (file.kind === 'missing') return behind
  if (file.kind === 'bad' || file.source === render(approved)) return false
  if (behind && split(file.source).text === approved.text) return true
  const before = audit.entries.find((entry) => entry.version === approved.version - 1)
  const previous = before ? approvedIn(before) : approvedInFile(file.source, [approved.key])
  return previous?.version === approved.version - 1 && file.source === render(previous)
}

function nextPin({ pin, audit, now }: Seen, approved: Approved): Pin | undefined {
  const { key: publicKey, version } = approved
  const line = audit.entries.findIndex(isLineOf(approved))
  const head = audit.hashes[line] ?? ''
  const next = pinOf(approved, head, iso(now))
  if (!pin) return { ...next, found: true }
  if (publicKey === pin.successor) return next
  return version > pin.version ? { ...pin, ...next, at: pin.at } : undefined
}
