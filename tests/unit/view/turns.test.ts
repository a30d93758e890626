import { expect, it } from 'vitest'
import { Turns } from '../../../src/view/turns.ts'
import { type Part, View } from '../../../src/view/view.ts'

function counting() {
  let drawn = 0
  const part: Part = {
    name: 'p',
    place: 'message',
    audience: ['main'],
    order: 0,
    text: () => `text ${++drawn}`,
  }
  const view = new View(
    () => 'en',
    () => {},
  )
  view.register(part)
  return { part, turns: new Turns(view) }
}
const reader = { role: 'main' as const, workspace: undefined }

it('a part is drawn once a turn, for each session by itself', () => {
  const { part, turns } = counting()
  const [one, other] = [{}, {}]
  turns.begin(one)
  expect([turns.text(part, one, reader), turns.text(part, one, reader)]).toEqual(['text 1', 'text 1'])
  expect(turns.text(part, other, reader)).toBe('text 2')
  turns.begin(one)
  expect([turns.text(part, one, reader), turns.text(part, other, reader)]).toEqual(['text 3', 'text 2'])
})

it('what the system prompt lacks is asked once a turn', async () => {
  const { turns } = counting()
  const session = {}
  let asked = 0
  const ask = async () => new Set([`${++asked}`])
  expect([...(await turns.lacking(session, ask)), ...(await turns.lacking(session, ask))]).toEqual(['1', '1'])
  turns.begin(session)
  expect([...(await turns.lacking(session, ask))]).toEqual(['2'])
})
