import { expect, it } from 'vitest'
import { MnemosError } from '../../../src/base/errors.ts'
import { recordSchema } from '../../../src/record/record.ts'
import { Admission, type Gate } from '../../../src/store/admission.ts'
import type { RecordWrite, Write } from '../../../src/store/change.ts'
import { personContext } from '../../../src/store/turn-context.ts'

const write = (summary: string): RecordWrite => ({
  what: 'record',
  act: 'create',
  next: {
    ...recordSchema.parse({ id: 'a', summary: 'x', created: '2026-01-01', updated: '2026-01-01' }),
    summary,
  },
  previous: undefined,
})
const summariesOf = (change: readonly Write[]) =>
  change.map((one) => (one.what === 'record' ? one.next.summary : one.what))
const renaming =
  (name: string, suffix: string): Gate['check'] =>
  (change) => ({
    change: change.map((one) =>
      one.what === 'record'
        ? { ...one, next: { ...one.next, summary: `${one.next.summary}${suffix}` } }
        : one,
    ),
    warnings: [name],
  })
const admit = (admission: Admission, ...change: Write[]) => admission.admit(change, personContext())

it('gates are asked in turn, each sees what the one before made, and their warnings are gathered', async () => {
  const admission = new Admission()
  admission.register({ name: 'one', check: renaming('one', ' 1') })
  const dispose = admission.register({ name: 'two', check: renaming('two', ' 2') })
  admission.register({ name: 'three', check: () => undefined })
  const { change, warnings } = await admit(admission, write('x'))
  expect([summariesOf(change), warnings]).toEqual([['x 1 2'], ['one', 'two']])
  dispose()
  expect(summariesOf((await admit(admission, write('x'))).change)).toEqual(['x 1'])
})

it('a refusal ends it, and later gates are not asked', async () => {
  const admission = new Admission()
  let asked = false
  admission.register({
    name: 'no',
    check: () => {
      throw new MnemosError('REFUSED', 'No.', '')
    },
  })
  admission.register({
    name: 'later',
    check: () => {
      asked = true
      return undefined
    },
  })
  await expect(admit(admission, write('x'))).rejects.toMatchObject({ code: 'REFUSED', message: 'No.' })
  expect(asked).toBe(false)
})

it('a gate that breaks refuses', async () => {
  const admission = new Admission()
  admission.register({ name: 'broken', check: async () => Promise.reject(new TypeError('oops')) })
  await expect(admit(admission, write('x'))).rejects.toMatchObject({
    code: 'REFUSED',
    message: 'The check "broken" failed (oops); nothing was written. Tell the person.',
  })
})

it('a gate that writes into what it is shown changes nothing', async () => {
  const admission = new Admission()
  admission.register({
    name: 'careless',
    check: (change) => {
      for (const one of change) if (one.what === 'record') one.next.summary = 'overwritten'
      return undefined
    },
  })
  expect(summariesOf((await admit(admission, write('x'))).change)).toEqual(['x'])
})

it('no gate lets through what the limits of a record refuse', async () => {
  const admission = new Admission()
  admission.register({ name: 'long', check: renaming('long', 'x'.repeat(300)) })
  await expect(admit(admission, write('x'))).rejects.toThrow(/at most 200/)
  await expect(admit(new Admission(), write('x'.repeat(201)))).rejects.toThrow(/at most 200/)
})
