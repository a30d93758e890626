/**
 * Every tunable, once: default, unit and the reason for the default. The host's settings form, the command line
 * and the documents are derived from this schema.
 */
import { z } from 'zod'

const tunableSchema = z.object({ description: z.string(), unit: z.string(), reason: z.string() })
export type Tunable = z.output<typeof tunableSchema>

const about = (description: string, unit: string, reason: string) => ({ description, unit, reason })

export const configSchema = z.object({
  dataDir: z
    .string()
    .default('')
    .meta(
      about(
        'Folder that holds the records; empty means $DSH_HOME/mnemos/<profile>. MNEMOS_DATA wins over it.',
        'path',
        'One folder a profile, so that every session of a profile shares it and no profile sees another.',
      ),
    ),
  language: z
    .enum(['auto', 'zh', 'en'])
    .default('auto')
    .meta(
      about(
        'Language of the shipped constitution and discipline; auto follows the system, the discipline the language of your own constitution.',
        'auto, zh or en',
        'The texts stand in every request, so they should be in the language that the person speaks.',
      ),
    ),
  recallLimit: z
    .int()
    .min(1)
    .max(50)
    .default(8)
    .meta(
      about(
        'Hits of one recall when the call names no limit.',
        'hits',
        'Enough to choose from, few enough not to crowd the conversation.',
      ),
    ),
  openMaxChars: z
    .int()
    .min(200)
    .max(200_000)
    .default(16_000)
    .meta(
      about(
        'Characters of content that one open returns when the call names none.',
        'characters',
        'A long note in one piece; what is longer is paged through.',
      ),
    ),
  giantBytes: z
    .int()
    .min(1024)
    .default(65_536)
    .meta(
      about(
        'Records larger than this are left out of recall unless asked for.',
        'bytes',
        'A dump of 64 KiB matches nearly every query and answers none.',
      ),
    ),
  isolate: z
    .boolean()
    .default(false)
    .meta(
      about(
        'Keep the records of one workspace to that workspace, for reading and for writing.',
        'true or false',
        'Continuity across folders is the point; a person who separates clients turns it on.',
      ),
    ),
  scanEveryMs: z
    .int()
    .min(0)
    .max(2_000)
    .default(1_000)
    .meta(
      about(
        'How old a look at the folder may be before it is looked at again.',
        'milliseconds',
        'Words that an editor saved must be found within two seconds; each look costs a stat of every file.',
      ),
    ),
  turnWaitMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(1_000)
    .meta(
      about(
        'How long a turn waits at its start for the memory to be read in.',
        'milliseconds',
        'Filling the index of a large folder takes seconds, which a person should not have to sit through; recall waits for it.',
      ),
    ),
  lockTimeoutMs: z
    .int()
    .min(1_000)
    .max(120_000)
    .default(20_000)
    .meta(
      about(
        'How long a write waits for another process before it gives up.',
        'milliseconds',
        'Longer than the ten seconds after which the lock of a killed process counts as abandoned.',
      ),
    ),
})

export type Config = z.output<typeof configSchema>
export type ConfigKey = keyof Config

export const CONFIG_KEYS = Object.keys(configSchema.shape) as ConfigKey[]

/** Description, unit and reason of one tunable. */
export const tunable = (key: ConfigKey): Tunable => tunableSchema.parse(configSchema.shape[key].meta())

/** What values a key takes: `1 to 50 hits`, `auto, zh or en`. */
export function rangeOf(key: ConfigKey): string {
  const inner = configSchema.shape[key].def.innerType
  const { unit } = tunable(key)
  if (!(inner instanceof z.ZodNumber)) return unit
  const { minValue, maxValue } = inner
  const bounds = [
    minValue ?? 0,
    maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? `to ${maxValue}` : 'or more',
  ]
  return `${bounds.join(' ')} ${unit}`
}

export const defaultConfig = (): Config => configSchema.parse({})

/** What is wrong with a config; what it names is ignored. */
export type ConfigProblem =
  /** It is not made of keys and values. */
  | { code: 'NO_KEYS' }
  | { code: 'UNKNOWN_KEY'; key: string }
  /** `inForce` is the default. */
  | { code: 'BAD_VALUE'; key: ConfigKey; inForce: unknown }

const isKey = (key: string): key is ConfigKey => Object.hasOwn(configSchema.shape, key)

/**
 * Reads a config of unknown shape. It never throws: a bad key leaves its default in force.
 * @returns the config in force, and what is wrong with the one that was read.
 */
export function readConfig(raw: unknown): { config: Config; problems: ConfigProblem[] } {
  const config = defaultConfig()
  if (raw === undefined || raw === null) return { config, problems: [] }
  if (typeof raw !== 'object' || Array.isArray(raw)) return { config, problems: [{ code: 'NO_KEYS' }] }
  const problems: ConfigProblem[] = []
  const good: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) {
    if (!isKey(key)) {
      problems.push({ code: 'UNKNOWN_KEY', key })
      continue
    }
    if (value === undefined || value === null) continue
    const parsed = configSchema.shape[key].safeParse(value)
    if (parsed.success) good[key] = parsed.data
    else problems.push({ code: 'BAD_VALUE', key, inForce: config[key] })
  }
  return { config: configSchema.parse(good), problems }
}
