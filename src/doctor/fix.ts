/** `doctor --fix`: which of the findings are repaired, and by whom. */
import type { Layout } from '../files/layout.ts'
import type { HeldLock } from '../files/lock.ts'
import type { Finding, FindingCode } from './finding.ts'
import { type Repaired, type RepairParts, repairFolder } from './repair.ts'

const REBUILT: ReadonlySet<FindingCode> = new Set(['INDEX_DAMAGED', 'INDEX_WRONG', 'INDEX_VERSION'])
/** Done by opening the store: it claims the folder, finishes acts and brings the index up to date. */
const OPENED: ReadonlySet<FindingCode> = new Set([
  'VERSION_MISSING',
  'UNFINISHED_ACT',
  'INDEX_MISSING',
  'INDEX_BEHIND',
])

/** An opened folder, as far as a repair needs it. */
export interface Repairable {
  layout: Layout
  /** How many files vanished together. */
  absent: number
  /** The index was made when the folder was opened. */
  indexIsNew: boolean
  /** Does something under the lock and looks at the whole folder afterwards. */
  repair<T>(body: (parts: RepairParts, held: HeldLock) => T): Promise<T>
  rebuildIndex(): Promise<void>
}

/** @param store opened: that alone repairs some of the findings. */
export async function fix(store: Repairable, findings: readonly Finding[]): Promise<Repaired[]> {
  const done: Repaired[] = findings
    .filter(({ code }) => OPENED.has(code))
    .flatMap(({ code, paths }) => (paths.length > 0 ? paths : ['.']).map((path) => ({ code, path })))
  done.push(...(await store.repair((parts, held) => repairFolder(parts, store.layout, held))))
  const index = findings.find(({ code }) => REBUILT.has(code))
  if (index && store.absent > 0 && !store.indexIsNew) {
    done.push({
      code: index.code,
      path: 'index/index.sqlite',
      failed: { code: 'INDEX_KNOWS_ABSENT' },
    })
  } else if (index) {
    if (!store.indexIsNew) await store.rebuildIndex()
    done.push({ code: index.code, path: 'index/index.sqlite' })
  }
  return done
}
