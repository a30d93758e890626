/**
 * The schema of our row in the host's profile, derived from the zod config. It tells the host's settings form the
 * types and defaults; it refuses nothing, because a refused config takes the plugin away, and on older hosts the
 * boot with it. What is wrong is found by our own reading of the config and reported.
 */
import Schema from '@deepseek-ai/schemastery'
import { z } from 'zod'
import { CONFIG_KEYS, type ConfigKey, configSchema, defaultConfig, tunable } from '../base/config.ts'

function field(key: ConfigKey): Schema {
  const inner = configSchema.shape[key].def.innerType
  const typed = typeOf(inner)
  const { description, unit, reason } = tunable(key)
  return typed.default(defaultConfig()[key]).description(`${description} (${unit}) ${reason}`)
}

function typeOf(inner: z.ZodType): Schema {
  if (inner instanceof z.ZodEnum) return Schema.union(inner.options.map((option) => Schema.const(option)))
  if (inner instanceof z.ZodBoolean) return Schema.boolean()
  if (inner instanceof z.ZodNumber) {
    const { minValue, maxValue } = inner
    let number = Schema.number().step(1)
    if (minValue !== null && minValue > Number.MIN_SAFE_INTEGER) number = number.min(minValue)
    if (maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER) number = number.max(maxValue)
    return number
  }
  if (inner instanceof z.ZodString) return Schema.string()
  throw new TypeError(`The config field type ${inner.type} has no counterpart in the host's settings form.`)
}

/** The host calls `~standard.validate`; it is answered with the config as it was written. */
export function rowSchema(): Schema {
  const schema = Schema.object(Object.fromEntries(CONFIG_KEYS.map((key) => [key, field(key)])))
  Object.defineProperty(schema, '~standard', {
    value: { version: 1, vendor: 'schemastery', validate: (value: unknown) => ({ value }) },
  })
  return schema
}
