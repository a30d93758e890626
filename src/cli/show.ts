/** `mnemos show <id>`: on stdout the file alone. */
import { aside, type Session } from './session.ts'

export async function showCommand({ store, printText, json }: Session, id: string): Promise<void> {
  const { record, text, file, copies } = await store.get(id)
  if (!json) aside([file, ...copies.map((copy) => `another file with this id: ${copy.file}`)])
  printText({ ...record, file, copies }, text.replace(/\n$/, ''))
}
