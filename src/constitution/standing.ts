/**
 * How a folder's constitution stands: which text was approved last, whether the files agree with that, and what is
 * reported where they do not. It changes nothing. The approved text is the newest one that the trusted key signed, in
 * any of the places that hold one (the audit, the text file, the pin); the trusted key is the pinned one.
 */

import { iso, localDay } from '../base/clock.ts'
import type { Disk } from '../base/disk.ts'
import type { Language } from '../base/language.ts'
import type { ReadyFinding as Finding } from '../doctor/finding.ts'
import { type ApprovedText, isGenuine } from './approved-text.ts'
import { approvedIn, isLineOf } from './audit.ts'
import { type Constitution, hashed } from './constitution.ts'
import {
  type ConstitutionFiles,
  type ConstitutionState,
  type Home,
  readConstitutionFiles,
} from './constitution-files.ts'
import { findingsOf, newsOf, quietFindings, WITHOUT_TEXT } from './faults.ts'
import { approvedInPin, type Pin, pinOf } from './pin.ts'
import { templateConstitution } from './template.ts'
import { approvedInFile, renderTextFile } from './text-file.ts'
import { splitHeader } from './text-header.ts'

/** How a constitution stands: its files, and what follows from them. */
export interface ConstitutionStanding extends ConstitutionFiles {
  state: ConstitutionState
  constitution: Constitution
  /** What the doctor reports. */
  findings: Finding[]
  /** What is reported in every turn, a sentence each. */
  reported: string[]
  /** Which text is in the request, in one sentence, where something is wrong with the files; else empty. */
  stands: string
  /** The text that was approved last; undefined where none can be verified. */
  approved: ApprovedText | undefined
  /** What the pin should become; undefined while it is right. */
  nextPin: Pin | undefined
  /** An approval was interrupted after it was in the audit: the text file is still to be written. */
  unfinished: boolean
}

/** Reads the files and judges them. Never throws. @param language of the template, where that is used. */
export function standing(home: Home, language: Language): ConstitutionStanding {
  const files = readConstitutionFiles(home)
  const approved = newestApproved(files)
  return approved === undefined ? withoutText(home.disk, files, language) : withText(files, approved)
}

/** The pinned key and its successor; where nothing is pinned, the folder's own key. */
function trustedKeys({ pin, key, audit }: ConstitutionFiles): string[] {
  if (pin) return pin.successor === undefined ? [pin.publicKey] : [pin.publicKey, pin.successor]
  const own = key?.publicKey ?? audit.entries.at(-1)?.key
  return own === undefined ? [] : [own]
}

/** Whether the folder has neither text nor audit nor key. */
const isAllGone = ({ file, audit, key, keyFault }: ConstitutionFiles): boolean =>
  file.kind === 'missing' && audit.raw === undefined && key === undefined && keyFault === undefined

/** Lines after the first fault whose signatures are checked at most: forged lines cost no more time than that. */
const FAULTY_LINES_CHECKED = 100

function newestApproved(files: ConstitutionFiles): ApprovedText | undefined {
  const { file, audit, pin } = files
  // The pin's copy is for files that were changed: where all of them are gone, the template is used and says so.
  if (isAllGone(files)) return undefined
  const keys = trustedKeys(files)
  const isTrusted = ({ key }: { key: string }) => keys.includes(key)
  const inAudit = audit.entries.slice(0, audit.sound).findLast(isTrusted)
  const first = [
    pin && approvedInPin(pin),
    file.kind === 'text' ? approvedInFile(file.source, keys) : undefined,
    inAudit && approvedIn(inAudit),
  ]
  const proven = highestVersionFirst(first.filter((one) => one !== undefined).filter(isTrusted)).find(
    isGenuine,
  )
  const newer = audit.entries.filter((one) => isTrusted(one) && one.version > (proven?.version ?? 0))
  return highestVersionFirst(newer).slice(0, FAULTY_LINES_CHECKED).map(approvedIn).find(isGenuine) ?? proven
}

const highestVersionFirst = <T extends { version: number }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => b.version - a.version)

/** There is no text that the trusted key signed: the template is used. */
function withoutText(disk: Disk, files: ConstitutionFiles, language: Language): ConstitutionStanding {
  const state = stateWithoutText(files)
  const lost = state === 'lost'
  const constitution = templateConstitution(disk, language, lost ? 'lost' : 'not initialised')
  const findings = WITHOUT_TEXT[state](files, constitution)
  return {
    ...files,
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

function stateWithoutText({
  pin,
  audit,
  file,
  key,
}: ConstitutionFiles): Exclude<ConstitutionState, 'approved'> {
  if ((pin?.version ?? 0) > 0) return 'lost'
  // An audit that cannot be read, without a key beside it, is no sign of an approval.
  if (audit.raw !== undefined && !(audit.unreadable && key === undefined)) return 'lost'
  return file.kind === 'missing' && !audit.unreadable ? 'template' : 'waiting'
}

function withText(files: ConstitutionFiles, approved: ApprovedText): ConstitutionStanding {
  const { version, language, text, at } = approved
  const unfinished = isUnfinished(files, approved)
  const wrong = findingsOf(files, approved, unfinished)
  const news = newsOf(files, approved)
  return {
    ...files,
    state: 'approved',
    constitution: { initialised: true, version: String(version), language, ...hashed(text) },
    findings: [...wrong, ...news, ...quietFindings(files, approved, unfinished)],
    reported: [...wrong, ...news].map(({ sentence }) => sentence),
    // A long text is still the one in the request.
    stands: wrong.some(({ code }) => code !== 'CONSTITUTION_LONG')
      ? `Version ${version}, approved ${localDay(at)}, stands in the request.`
      : '',
    approved,
    nextPin: nextPin(files, approved),
    unfinished,
  }
}

/** An approval writes audit, text file and pin, in that order: what a crash between them leaves is not reported. */
function isUnfinished({ file, audit, pin }: ConstitutionFiles, approved: ApprovedText): boolean {
  if (!audit.entries.some(isLineOf(approved))) return false
  const behind = pin !== undefined && pin.version < approved.version
  if (file.kind === 'missing') return behind
  if (file.kind === 'bad' || file.source === renderTextFile(approved)) return false
  if (behind && splitHeader(file.source).text === approved.text) return true
  const before = audit.entries.find((entry) => entry.version === approved.version - 1)
  const previous = before ? approvedIn(before) : approvedInFile(file.source, [approved.key])
  return previous?.version === approved.version - 1 && file.source === renderTextFile(previous)
}

function nextPin({ pin, now }: ConstitutionFiles, approved: ApprovedText): Pin | undefined {
  const { key: publicKey, version } = approved
  const next = pinOf(approved, iso(now))
  if (!pin) return { ...next, found: true }
  if (publicKey === pin.successor) return next
  return version > pin.version ? { ...pin, ...next, at: pin.at } : undefined
}
