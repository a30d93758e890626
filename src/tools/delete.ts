/** `delete`: asks the person, and then the record is gone for good. */
import { z } from 'zod'
import { cut } from '../base/text.ts'
import { judged } from '../base/visible.ts'
import type { QuestionWords } from '../messages/catalogue.ts'
import { deletionSentence } from '../messages/messages.ts'
import { staying } from '../store/deletion.ts'
import { isKeptFrom, refuseKept } from '../store/isolation.ts'
import type { CutRecord } from '../store/places.ts'
import type { FoundRecord, Store } from '../store/store.ts'
import { permission, UNASKED_NOTE } from './permission.ts'
import { previewOf, type Question, quoted } from './question.ts'
import { defineTool, type Tool } from './tool.ts'

const WHY_CHARS = 300
/** How much of what stays is named: the note counts it, and the model pays for every word. */
const STAYING = 20

/** @param words of the question that the person is asked. */
export const deleteTool = (store: Store, words: QuestionWords): Tool =>
  defineTool({
    name: 'delete',
    description:
      'Delete a record for good, after the person agreed. For what is merely wrong or outdated use deprecate. why is shown to the person and not kept.',
    input: z.strictObject({ id: z.string(), why: z.string() }),
    output: z.strictObject({
      id: z.string(),
      deleted: z.boolean(),
      unasked: z.literal(true).optional(),
      note: z.string(),
      cut: z.array(z.string()).optional().describe('Ids of records that lost the words they had from it.'),
      stays: z.array(z.string()).optional().describe('Ids and files that hold its words, or bear its name.'),
      warnings: z.array(z.string()).optional(),
    }),
    forChildren: false,
    async run({ id, why }, env) {
      const found = await store.get(id)
      refuseKept(store, found.record, env.context)
      // Refused before the person is asked for nothing; and what they are asked covers all that is changed.
      const foreseen = await store.foreseeDeletion(found.record.id, env.context)
      const { unasked } = await permission(env, {
        question: deleteQuestion(found, foreseen.cut, why, words),
        doing: 'Deleting',
        done: 'deleted',
        otherwise: `"${id}" stays`,
        byHand: `The person can delete it with: mnemos delete ${id}`,
      })
      const agreed = { shown: found.shown, cut: foreseen.cut.map((one) => one.id) }
      const deleted = await store.delete(found.record.id, env.context, agreed)
      // The note counts also what other workspaces hold; what that is, is kept from this one.
      const isHere = ({ workspace }: { workspace?: string | undefined }) =>
        !isKeptFrom(store, { workspace }, env.context)
      const alike = deleted.alike.filter(isHere)
      const cutHere = deleted.cut.filter(isHere).map((one) => one.id)
      const stays = staying({ alike, others: deleted.others.filter(isHere) }).slice(0, STAYING)
      return {
        id: found.record.id,
        deleted: deleted.left.length === 0,
        ...(unasked ? { unasked: true as const } : {}),
        note: deletionSentence({ ...deleted, id: found.record.id }),
        ...(cutHere.length > 0 ? { cut: cutHere.slice(0, STAYING) } : {}),
        ...(stays.length > 0 ? { stays } : {}),
        ...(unasked ? { warnings: [UNASKED_NOTE] } : {}),
      }
    },
  })

function deleteQuestion(
  { record, file, copies }: FoundRecord,
  cutOf: readonly CutRecord[],
  why: string,
  words: QuestionWords,
): Question {
  const { remove } = words
  const preview = previewOf(remove.content, record.content, words)
  return {
    headline: remove.headline({
      kind: judged(record.kind),
      summary: quoted(record.summary),
      id: record.id,
    }),
    facts: [
      { name: remove.why, value: cut(why, WHY_CHARS) },
      ...copies.map((copy) => ({ name: remove.copy, value: `${copy.file}: ${copy.summary}` })),
      ...cutOf.map(({ id, summary }) => ({ name: remove.cut, value: `${id}: ${summary}` })),
    ],
    ...(preview ? { preview } : {}),
    about: [{ name: remove.file, value: file }],
    consent: '',
    answers: words,
  }
}
