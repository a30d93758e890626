/** `delete`: asks the person, and then the record is gone for good. */
import { z } from 'zod'
import { MnemosError } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import { visible } from '../base/visible.ts'
import type { Found } from '../memory/store.ts'
import { type Answer, defineTool, type Question } from './tool.ts'

/** Characters of the content that the person is shown before deciding. */
const SHOWN_CHARS = 2_000
const SHOWN_LINES = 20

export const deleteRecord = defineTool({
  name: 'delete',
  description:
    'Delete a record for good, after the person agreed. For what is merely wrong or outdated use deprecate. why is shown to the person and not kept.',
  input: z.strictObject({ id: z.string(), why: z.string() }),
  output: z.strictObject({
    id: z.string(),
    deleted: z.boolean(),
    note: z.string(),
    warnings: z.array(z.string()),
  }),
  forChildren: false,
  async run({ id, why }, env) {
    const found = await env.store.get(id)
    const answer = await env.ask(question(found, why))
    const refusal = refused(id, answer, env.context.exposure.touched())
    if (refusal) throw refusal
    const { left } = await env.store.delete(found.record.id, env.context, found.shown)
    return {
      id: found.record.id,
      deleted: left.length === 0,
      note:
        left.length === 0
          ? "Nothing of it is left in the data folder. The host's own session logs still hold the conversation."
          : 'It is not gone everywhere yet; what is left is cleared as soon as that is possible.',
      warnings: left.map(
        ({ place, reason }) => `Not cleared yet, and tried again at the next write: ${place} (${reason}).`,
      ),
    }
  },
})

function question({ record, file, copies }: Found, why: string): Question {
  const lines = record.content.split('\n')
  const detail = lines.slice(0, SHOWN_LINES).map(visible).join('\n')
  const others = copies.map((copy) => `Also ${visible(copy.file)}: "${visible(copy.summary)}"`)
  const more = lines.length > SHOWN_LINES ? `… ${lines.length - SHOWN_LINES} more lines` : ''
  return {
    headline: `Delete the ${visible(record.kind)} "${visible(record.summary)}" (${record.id}) for good? Why: ${visible(cut(why, 300))}`,
    detail: [
      cut(detail, SHOWN_CHARS),
      more,
      ...(others.length > 0 ? [`In ${visible(file)}.`, ...others] : []),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  }
}

/** Why an answer is no permission; undefined where it is one. */
function refused(id: string, answer: Answer, touched: boolean): MnemosError | undefined {
  const byHand = `The person can delete it with: mnemos delete ${id}`
  switch (answer) {
    case 'allowed':
      return undefined
    case 'never-asks':
      if (!touched) return undefined
      return new MnemosError(
        'REFUSED',
        'Outside text is near and asking is switched off, so nothing is deleted unasked.',
        byHand,
      )
    case 'refused':
      return new MnemosError(
        'REFUSED',
        `The person did not allow deleting "${id}"; it stays.`,
        'Do not ask again unless they bring it up.',
      )
    case 'cancelled':
      return new MnemosError('REFUSED', `The question was withdrawn before it was answered; "${id}" stays.`)
    case 'nobody':
      return new MnemosError(
        'NOBODY_TO_ASK',
        `Deleting needs the person's word and nobody is there to ask; "${id}" stays.`,
        byHand,
      )
  }
}
