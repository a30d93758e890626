/** `mnemos show <id>`: on stdout the file alone. */
import { answerShow } from '../answers/show.ts'
import { beside, type Session } from './session.ts'

export async function showCommand({ store, printText, json }: Session, id: string): Promise<void> {
  const { value, text } = await answerShow(store, id)
  if (!json)
    beside([
      value.file,
      ...[...value.copies, ...value.namesakes].map((copy) => `another file with this id: ${copy.file}`),
    ])
  printText(value, text.replace(/\n$/, ''))
}
