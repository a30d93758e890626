/** Files that cannot be read as what they are: what stands in them all the same. */
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { journalText } from '../files/jsonl.ts'
import { FILE_LIMIT } from '../record/record.ts'

/** What a file says, whatever is wrong with it; the reason where that cannot be told; undefined where there is none. */
export function rawText(disk: Disk, path: string): { text: string } | { reason: string } | undefined {
  try {
    const stamp = disk.stamp(path)
    if (!stamp) return undefined
    if (stamp.kind !== 'file') return { reason: `it is a ${stamp.kind}` }
    if (stamp.size > FILE_LIMIT) return { reason: 'it is too large to be looked through' }
    return { text: journalText(disk.read(path)) }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
}

/** What a text states as the value of a key on a line of its own, whatever is wrong with the rest of its front matter. */
export function statedRaw(text: string, key: 'id' | 'workspace'): string | undefined {
  const value = new RegExp(`^${key}:[ \\t]*(.+?)[ \\t]*\\r?$`, 'm').exec(text)?.[1]
  return value?.replace(/^(["'])(.*)\1$/, '$2').normalize('NFC')
}
