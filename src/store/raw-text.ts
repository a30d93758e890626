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

/**
 * Every value that a text states for a key, whatever is wrong with the rest of it: a conflict that nobody resolved states
 * two. It may stand further in, in braces, in quotes, or on the next line.
 */
export function statedRaw(text: string, key: 'id' | 'workspace'): string[] {
  const stated = new RegExp(
    `(?:^|[\\r\\n{,])[ \\t]*(["']?)${key}\\1[ \\t]*:[ \\t]*(?:\\r?\\n[ \\t]+)?(?:"([^"\\r\\n]*)"|'([^'\\r\\n]*)'|([^\\r\\n,}]*))`,
    'g',
  )
  return [...text.matchAll(stated)].flatMap(([, , double, single, plain]) => {
    const value = double ?? single ?? (plain ?? '').replace(/(?:^|[ \t])#.*$/, '').trim()
    return value === '' ? [] : [value.normalize('NFC')]
  })
}
