/** What is wrong with a data folder, and its repair. */
import { existsSync } from 'node:fs'
import { placesOn } from '../base/place.ts'
import type { Home } from '../constitution/constitution-files.ts'
import { restoreText } from '../constitution/restore.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { type Finding, finding, isHealthy } from '../doctor/finding.ts'
import { fix } from '../doctor/fix.ts'
import { emptyProfile, profilesDamaged } from '../doctor/profiles.ts'
import { failureOf, type Repaired } from '../doctor/repair.ts'
import { isGone } from '../files/claim.ts'
import { noteFolderUsed, wasFolderUsed } from '../files/profiles.ts'
import { findingShown, repairShown } from '../messages/messages.ts'
import type { Progress } from '../store/catalog.ts'
import type { Store } from '../store/store.ts'

/** A memory, as far as the doctor looks at it and repairs it. */
export interface DoctorMemory {
  store: Store
  home: Home
  /** What the services say of their own files. */
  examine(): Finding[]
  close(): void
}

export interface DoctorRequest {
  /** The memory of the folder that is meant; undefined where no folder is known. */
  memory: DoctorMemory | undefined
  /** The host's home and the disk that it lies on. */
  machine: Pick<Home, 'disk' | 'dshHome'>
  profiles: readonly string[]
  /** Whether the profiles of this machine have a say: not where the folder itself was named. */
  looksAtProfiles: boolean
  fix?: boolean | undefined
  /** Files that vanished together will not come back. */
  forgetAbsent?: boolean | undefined
  /** Told what was found before anything is repaired. */
  beforeFix?: (findings: readonly Finding[]) => void
  /** For work that takes long. */
  progress?: (what: 'Examining' | 'Indexing') => Progress | undefined
}

export interface DoctorAnswer {
  /** The data folder; null where none is known. */
  data: string | null
  profiles: readonly string[]
  healthy: boolean
  records: number
  findings: ReturnType<typeof findingShown>[]
  /** What was repaired, or could not be. */
  repaired: ReturnType<typeof repairShown>[]
  /** How many records were forgotten whose files are absent. */
  forgotten: number
}

/**
 * Examines a folder, and with `fix` or `forgetAbsent` repairs it and examines it again. Without them it changes nothing;
 * with them the memory is opened and closed.
 * @throws MnemosError READ_ONLY or LOCKED where it could not be repaired.
 */
export async function answerDoctor(request: DoctorRequest): Promise<DoctorAnswer> {
  const { memory, profiles, forgetAbsent = false } = request
  if (forgetAbsent && isNotMounted(request)) {
    const { disk, dshHome } = request.machine
    await noteFolderUsed(disk, dshHome, memory?.store.layout.root ?? '', false)
  }
  const before = examination(request)
  const isThere = memory !== undefined && existsSync(memory.store.layout.root)
  const repairs = isThere && (request.fix === true || forgetAbsent)
  const { done, forgotten } = repairs
    ? await repairedFolder(memory, before.findings, request)
    : { done: [], forgotten: 0 }
  const { findings, records } = repairs ? examination(request) : before
  const data = memory?.store.layout.root ?? null
  return {
    data,
    profiles,
    healthy: isHealthy(findings),
    records,
    findings: findings.map((one) => findingShown(one)),
    repaired: done.map((one) => repairShown(one)),
    forgotten,
  }
}

async function repairedFolder(
  memory: DoctorMemory,
  findings: readonly Finding[],
  { fix: fixes = false, forgetAbsent = false, beforeFix, progress }: DoctorRequest,
): Promise<{ done: Repaired[]; forgotten: number }> {
  const { store, home } = memory
  if (fixes) beforeFix?.(findings)
  await store.refresh(progress?.('Indexing'))
  try {
    // First: a rebuilt index would not know of them any more, and the ledger would have no line.
    const forgotten = forgetAbsent ? await store.forgetAbsent() : 0
    const done = fixes ? [...(await fix(store, findings)), ...(await restoredConstitution(home))] : []
    return { done, forgotten }
  } finally {
    memory.close()
  }
}

async function restoredConstitution(home: Home): Promise<Repaired[]> {
  try {
    return await restoreText(home)
  } catch (error) {
    return [{ code: 'CONSTITUTION_CHANGED', path: 'constitution/constitution.md', failed: failureOf(error) }]
  }
}

/** Whether the folder held a memory, and nothing of it is there. */
function isNotMounted({ memory, machine: { disk, dshHome } }: DoctorRequest): boolean {
  if (memory === undefined) return false
  const { layout } = memory.store
  return isGone(disk, layout) && wasFolderUsed(disk, dshHome, layout.root)
}

function examination(request: DoctorRequest): Examination {
  const { findings, records } = examined(request)
  const root = request.memory?.store.layout.root ?? ''
  if (!isNotMounted(request)) return { findings, records }
  return {
    findings: [finding('NOT_MOUNTED', { fault: { code: 'NOT_MOUNTED', root } }), ...findings],
    records,
  }
}

function examined({ memory, machine, looksAtProfiles, progress }: DoctorRequest): Examination {
  const { disk, dshHome } = machine
  const root = memory?.store.layout.root
  const profiles = looksAtProfiles ? profilesDamaged(disk, dshHome) : []
  if (memory === undefined || root === undefined || !existsSync(root)) {
    const missing = finding('NO_FOLDER', { folder: root, dshHome })
    return { records: 0, findings: [missing, ...profiles, ...emptyProfile(disk, dshHome, root)] }
  }
  const { layout } = memory.store
  const { findings, records } = examine(
    { disk, layout, place: placesOn(disk), now: memory.store.now() },
    progress?.('Examining'),
  )
  return {
    records,
    findings: [
      ...findings,
      ...memory.examine(),
      ...profiles,
      ...(records === 0 ? emptyProfile(disk, dshHome, root) : []),
    ],
  }
}
