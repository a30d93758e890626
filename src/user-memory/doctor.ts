/** What the doctor says of the user memory. It only looks. */
import type { Disk } from '../base/disk.ts'
import { reasonOf } from '../base/errors.ts'
import { type Finding, finding, named } from '../doctor/finding.ts'
import type { Layout } from '../files/layout.ts'
import { drawIndex } from './drawing.ts'
import { UserMemoryFolder } from './folder.ts'

export function examineUserMemory(disk: Disk, layout: Layout): Finding[] {
  try {
    const { entries, bad, beyond } = new UserMemoryFolder(disk, layout.userMemory).look()
    const left = [...drawIndex(entries).left, ...beyond]
    return [
      ...bad.map(({ file, reason }) =>
        finding(
          'BAD_USER_MEMORY',
          `user-memory/${file} is skipped: ${reason}.`,
          'Put it right in an editor, or remove it.',
          { paths: [`user-memory/${file}`] },
        ),
      ),
      ...(left.length === 0
        ? []
        : [
            finding(
              'USER_MEMORY_FULL',
              `The user memory is over its limits, so ${named(left)} ${left.length === 1 ? 'is' : 'are'} not in view.`,
              'Merge, shorten or remove some of its files.',
              { paths: left.map((name) => `user-memory/${name}.md`) },
            ),
          ]),
    ]
  } catch (error) {
    return [
      finding(
        'BAD_USER_MEMORY',
        `The folder user-memory/ cannot be looked at: ${reasonOf(error)}.`,
        'Make it a folder that this user can read.',
        { paths: ['user-memory'] },
      ),
    ]
  }
}
