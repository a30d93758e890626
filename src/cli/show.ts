/** `mnemos show <id>`: on stdout the file alone. */
import { aside, type Session } from './session.ts'
import { whole } from './style.ts'

export async function showCommand({ store, print, json }: Session, id: string): Promise<void> {
  const { record, text, file, copies } = await store.get(id)
  if (!json) aside([file, ...copies.map((copy) => `another file with this id: ${copy.file}`)])
  print({ ...record, file, copies }, [whole(text.replace(/\n$/, ''))])
}
