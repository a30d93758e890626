/** What is wrong with a data folder, and its repair. */
import { existsSync } from 'node:fs'
import { reasonOf } from '../base/errors.ts'
import { placesOn } from '../base/place.ts'
import type { Home } from '../constitution/constitution-files.ts'
import { restoreText } from '../constitution/restore.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { type Finding, finding, isIll } from '../doctor/finding.ts'
import { fix } from '../doctor/fix.ts'
import { emptyProfile, profilesDamaged } from '../doctor/profiles.ts'
import type { Mended } from '../doctor/repair.ts'
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
  findings: Finding[]
  /** What was repaired, or could not be. */
  mended: Mended[]
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
  const before = examination(request)
  const isThere = memory !== undefined && existsSync(memory.store.layout.root)
  const repairs = isThere && (request.fix === true || forgetAbsent)
  const { mended, forgotten } = repairs
    ? await repaired(memory, before.findings, request)
    : { mended: [], forgotten: 0 }
  const { findings, records } = repairs ? examination(request) : before
  const data = memory?.store.layout.root ?? null
  return { data, profiles, healthy: !isIll(findings), records, findings, mended, forgotten }
}

async function repaired(
  memory: DoctorMemory,
  findings: readonly Finding[],
  { fix: fixes = false, forgetAbsent = false, beforeFix, progress }: DoctorRequest,
): Promise<Pick<DoctorAnswer, 'mended' | 'forgotten'>> {
  const { store, home } = memory
  if (fixes) beforeFix?.(findings)
  await store.refresh(progress?.('Indexing'))
  try {
    // First: a rebuilt index would not know of them any more, and the ledger would have no line.
    const forgotten = forgetAbsent ? await store.forgetAbsent() : 0
    const mended = fixes ? [...(await fix(store, findings)), ...(await restoredConstitution(home))] : []
    return { mended, forgotten }
  } finally {
    memory.close()
  }
}

async function restoredConstitution(home: Home): Promise<Mended[]> {
  try {
    return await restoreText(home)
  } catch (error) {
    return [{ code: 'CONSTITUTION_CHANGED', path: 'constitution/constitution.md', failed: reasonOf(error) }]
  }
}

function examination({ memory, machine, looksAtProfiles, progress }: DoctorRequest): Examination {
  const { disk, dshHome } = machine
  const root = memory?.store.layout.root
  const profiles = looksAtProfiles ? profilesDamaged(disk, dshHome) : []
  if (memory === undefined || root === undefined || !existsSync(root)) {
    const missing = finding(
      'NO_FOLDER',
      root === undefined
        ? `No profile in ${dshHome} has started Mnemos yet.`
        : `There is no data folder ${root}.`,
      'Start the host once with the plugin, or name a folder with --data.',
    )
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
