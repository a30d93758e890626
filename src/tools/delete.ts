/** `delete`: asks the person, and then the record is gone for good. */
import { z } from 'zod'
import { cut } from '../base/text.ts'
import { judged } from '../base/visible.ts'
import { alikeForModel, holdingWords } from '../store/alike-sentences.ts'
import { isKeptFrom, refuseKept } from '../store/isolation.ts'
import type { FoundRecord, Store } from '../store/store.ts'
import { permission, UNASKED_NOTE } from './permission.ts'
import { previewOf, type Question, quoted } from './question.ts'
import { defineTool, type Tool } from './tool.ts'

const WHY_CHARS = 300

export const deleteTool = (store: Store): Tool =>
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
      warnings: z.array(z.string()).optional(),
    }),
    forChildren: false,
    async run({ id, why }, env) {
      const found = await store.get(id)
      refuseKept(store, found.record, env.context)
      const { unasked } = await permission(env, {
        question: deleteQuestion(found, why),
        doing: 'Deleting',
        done: 'deleted',
        otherwise: `"${id}" stays`,
        byHand: `The person can delete it with: mnemos delete ${id}`,
      })
      const { left, alike } = await store.delete(found.record.id, env.context, found.shown)
      const named = alike.filter((one) => !isKeptFrom(store, { workspace: one.workspace }, env.context))
      return {
        id: found.record.id,
        deleted: left.length === 0,
        ...(unasked ? { unasked: true as const } : {}),
        note: deletionNote(left.length, holdingWords(alike).length),
        warnings: [
          ...(unasked ? [UNASKED_NOTE] : []),
          ...left.map(
            ({ place, reason }) =>
              `Not cleared yet, and tried again at the next write: ${place} (${reason}).`,
          ),
          ...alikeForModel(named, alike.length - named.length),
        ],
      }
    },
  })

function deletionNote(left: number, alike: number): string {
  if (left > 0) return 'It is not gone everywhere yet; what is left is cleared as soon as that is possible.'
  const but = alike > 0 ? ' but the same words in what stays on its own (see warnings)' : ''
  return `Nothing of it is left in the data folder${but}. The host's own session logs still hold the conversation.`
}

function deleteQuestion({ record, file, copies }: FoundRecord, why: string): Question {
  const preview = previewOf('Content', record.content)
  return {
    headline: `Delete the ${judged(record.kind)} ${quoted(record.summary)} (${record.id}) for good?`,
    consent: '',
    facts: [
      { name: 'Why', value: cut(why, WHY_CHARS) },
      { name: 'File', value: file },
      ...copies.map((copy) => ({ name: 'Also its copy', value: `${copy.file}: ${copy.summary}` })),
    ],
    ...(preview ? { preview } : {}),
  }
}
