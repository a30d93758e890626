/** `deprecate`: marks a record as no longer held, with the reason. */
import { z } from 'zod'
import { iso } from '../base/clock.ts'
import { MnemosError } from '../base/errors.ts'
import { STATUSES } from '../record/record.ts'
import { deprecation } from '../store/correction.ts'
import type { Store } from '../store/store.ts'
import { defineTool, type Tool } from './tool.ts'

export const deprecateTool = (store: Store): Tool =>
  defineTool({
    name: 'deprecate',
    description: 'Mark a record as no longer held. It stays readable with the reason; recall leaves it out.',
    input: z.strictObject({
      id: z.string(),
      why: z.string(),
      supersededBy: z.string().optional().describe('Id of the record that holds instead.'),
    }),
    output: z.strictObject({
      id: z.string(),
      status: z.enum(STATUSES),
      supersededBy: z.array(z.string()).optional(),
      warnings: z.array(z.string()),
    }),
    async run({ id, why, supersededBy }, env) {
      if (why.trim() === '')
        throw new MnemosError(
          'INVALID_INPUT',
          'deprecate needs a why.',
          'Say why the record no longer holds.',
        )
      if (supersededBy === id)
        throw new MnemosError(
          'INVALID_INPUT',
          'A record cannot supersede itself.',
          'Name the record that holds instead.',
        )
      const before = (await store.get(id)).record
      const acts = deprecation(id, iso(store.now()), env.context.author, why, supersededBy)
      const { records, warnings } = await store.commit(acts, env.context)
      const record = records.find((one) => one.id === before.id)
      if (!record)
        throw new MnemosError('REFUSED', [`"${before.id}" was not deprecated.`, ...warnings].join(' '))
      return {
        id: record.id,
        status: record.status,
        ...(record.supersededBy.length > 0 ? { supersededBy: record.supersededBy } : {}),
        warnings: before.deprecated
          ? [`It was deprecated already on ${before.deprecated.at}; that reason stays.`, ...warnings]
          : warnings,
      }
    },
  })
