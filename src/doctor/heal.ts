/** `doctor --fix`: what of the findings is put right, and by whom. */
import type { Store } from '../store/store.ts'
import type { Finding, FindingCode } from './finding.ts'
import type { Mended } from './repair.ts'

const REBUILT: ReadonlySet<FindingCode> = new Set(['INDEX_DAMAGED', 'INDEX_WRONG', 'INDEX_VERSION'])
/** Done by opening the store: it claims the folder, finishes acts and brings the index up to date. */
const OPENED: ReadonlySet<FindingCode> = new Set([
  'VERSION_MISSING',
  'UNFINISHED_ACT',
  'INDEX_MISSING',
  'INDEX_BEHIND',
])

/** @param store opened, and by that half the cure. */
export async function heal(store: Store, findings: readonly Finding[]): Promise<Mended[]> {
  const done: Mended[] = findings
    .filter(({ code }) => OPENED.has(code))
    .flatMap(({ code, paths }) => (paths.length > 0 ? paths : ['.']).map((path) => ({ code, path })))
  done.push(...(await store.mend()))
  const index = findings.find(({ code }) => REBUILT.has(code))
  if (index && store.absent > 0 && !store.indexIsNew) {
    done.push({
      code: index.code,
      path: 'index/index.sqlite',
      failed: 'it alone knows which files are absent',
    })
  } else if (index) {
    if (!store.indexIsNew) await store.rebuildIndex()
    done.push({ code: index.code, path: 'index/index.sqlite' })
  }
  return done
}
