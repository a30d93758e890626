/** `mnemos show <id>` */
import type { Session } from './session.ts'
import { dim, printable } from './style.ts'

export async function showCommand({ store, print }: Session, id: string): Promise<void> {
  const { record, text, file, copies } = await store.get(id)
  print({ ...record, file, copies }, [
    dim(file),
    printable(text.replace(/\n$/, '')),
    ...copies.map((copy) => dim(`another file with this id: ${copy.file}`)),
  ])
}
