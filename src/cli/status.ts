/** `mnemos status` */
import { answerStatus } from '../answers/status.ts'
import type { Session } from './session.ts'
import { bold, dim, yellow } from './style.ts'

const totals = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ')

export async function statusCommand({ memory, profiles, print }: Session): Promise<void> {
  const status = await answerStatus(memory, profiles)
  const { records, constitution, problems } = status
  print(status, [
    `${bold('Data folder')}   ${status.data}${profiles.length > 0 ? dim(`  (profile ${profiles.join(', ')})`) : ''}`,
    `${bold('Records')}       ${records.total}${records.total > 0 ? dim(`  ${totals(records.byStatus)}; ${totals(records.byKind)}`) : ''}`,
    ...(status.waiting > 0
      ? [`${bold('Waiting')}       ${status.waiting}${dim('  mnemos candidates')}`]
      : []),
    `${bold('Recall')}        ${status.recall}`,
    `${bold('User memory')}   ${status.userMemory}`,
    `${bold('Constitution')}  ${constitution.initialised ? `version ${constitution.version}` : 'the shipped template'}`,
    ...(problems.length === 0
      ? ['Nothing is wrong.']
      : [
          bold('Wrong'),
          ...problems.map((problem) => yellow(`  - ${problem}`)),
          'All of it, and what to do: mnemos doctor',
        ]),
    ...status.notes.map(dim),
  ])
}
