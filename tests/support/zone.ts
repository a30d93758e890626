/** What this process sees of a data folder, as JSON: started in several time zones. Arguments: the folder, and what to do. */
import { instant } from '../../src/search/recall/instant.ts'
import { personContext } from '../../src/store/turn-context.ts'
import { openStore } from './store.ts'

const [root = '', task = 'look', ...words] = process.argv.slice(2)
const { store } = await openStore({ root, now: () => Date.UTC(2026, 11, 2) })
if (task === 'delete') await store.delete(words[0] ?? '', personContext())
const records = await store.recent(50, ['active', 'deprecated'])
const ids = await store.recall({ queries: [], scope: { kind: 'note' }, limit: 50, include: [] })
process.stdout.write(
  JSON.stringify({
    records: records.map(({ id, created }) => `${id} ${created}`),
    listed: ids.hits.map(({ record }) => record.id),
    skipped: store.bad().map(({ path, fault }) => `${path} ${fault.code}`),
    ...(task === 'since'
      ? { ...instant('since', words[0], 'begins'), ...instant('until', words[0], 'ends') }
      : {}),
  }),
)
store.close()
