/** `deprecate`: marks a record as no longer held, with the reason. */
import { z } from 'zod'
import { STATUSES } from '../record/record.ts'
import { deprecateRecord } from '../store/deprecate.ts'
import type { Store } from '../store/store.ts'
import { defineTool, type Tool } from './tool.ts'

const input = z.strictObject({
  id: z.string(),
  why: z.string(),
  supersededBy: z.string().optional().describe('Id of the record that holds instead.'),
})

const output = z.strictObject({
  id: z.string(),
  status: z.enum(STATUSES),
  supersededBy: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
})

export const deprecateTool = (store: Store): Tool =>
  defineTool({
    name: 'deprecate',
    description: 'Mark a record as no longer held. It stays readable with the reason; recall leaves it out.',
    input,
    output,
    async run(asked, env) {
      const { record, warnings } = await deprecateRecord(store, asked, env.context)
      const { id, status, supersededBy } = record
      return { id, status, ...(supersededBy.length > 0 ? { supersededBy } : {}), warnings }
    },
  })
