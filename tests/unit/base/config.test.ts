import { describe, expect, it } from 'vitest'
import { CONFIG_KEYS, defaultConfig, readConfig, tunable } from '../../../src/base/config.ts'

describe('the config', () => {
  it('has a default, a unit and a reason for every key', () => {
    for (const key of CONFIG_KEYS) {
      const { description, unit, reason } = tunable(key)
      expect([key, description.length > 10, unit.length > 1, reason.length > 10]).toEqual([
        key,
        true,
        true,
        true,
      ])
      expect(defaultConfig()[key]).toBeDefined()
    }
  })

  it('keeps the good keys, the defaults of the bad ones, and says which were bad', () => {
    const { config, problems } = readConfig({
      recallLimit: 3,
      giantBytes: -1,
      language: 'fr',
      isolate: 'yes',
      colour: 1,
      openMaxChars: null,
    })
    expect(config).toEqual({ ...defaultConfig(), recallLimit: 3 })
    expect(problems).toEqual([
      { code: 'BAD_VALUE', key: 'giantBytes', inForce: 65536 },
      { code: 'BAD_VALUE', key: 'language', inForce: 'auto' },
      { code: 'BAD_VALUE', key: 'isolate', inForce: false },
      { code: 'UNKNOWN_KEY', key: 'colour' },
    ])
  })

  it.each([[undefined], [null], [{}]])('%j is no problem', (raw) => {
    expect(readConfig(raw)).toEqual({ config: defaultConfig(), problems: [] })
  })

  it.each([[[]], ['text'], [7], [true]])('%j leaves every default in force', (raw) => {
    const { config, problems } = readConfig(raw)
    expect(config).toEqual(defaultConfig())
    expect(problems).toHaveLength(1)
  })

  it('is not poisoned by names of the language', () => {
    const { config, problems } = readConfig(
      JSON.parse('{"__proto__": {"isolate": true}, "constructor": 1, "toString": 2}'),
    )
    expect(config).toEqual(defaultConfig())
    expect(problems).toHaveLength(3)
  })
})
