/** `mnemos status` */

import { nodeDisk } from '../base/disk.ts'
import { languageOf } from '../constitution/constitution.ts'
import { standing } from '../constitution/standing.ts'
import { dshHomeOf, overruled } from '../files/data-folder.ts'
import { readProfiles } from '../files/profiles.ts'
import { faultClause, problemSentences } from '../messages/messages.ts'
import { homeOf } from './home.ts'
import type { Session } from './session.ts'
import { bold, dim, yellow } from './style.ts'

const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ')

export async function statusCommand({ memory, store, profiles, print }: Session): Promise<void> {
  const counts = await store.counts()
  const { userMemory } = memory
  userMemory.look()
  const { constitution, approved, state, reported } = standing(
    homeOf(store.layout.root),
    languageOf('auto', process.env),
  )
  const putAside = profiles.length === 0 ? [] : putAsideBy(store.layout.root)
  const problems = [
    ...problemSentences(store.problems()),
    ...reported,
    ...(counts.total === 0 ? putAside : []),
  ]
  const value = {
    data: store.layout.root,
    profiles,
    records: counts,
    waiting: store.waiting().length,
    recall: store.recallUnavailable ?? 'works',
    writable: store.readOnly === undefined,
    userMemory: userMemory.entries.length,
    constitution: {
      initialised: constitution.initialised,
      state,
      version: approved?.version ?? null,
      hash: constitution.hash,
    },
    skipped: store.bad().map(({ path, fault }) => ({ path, code: fault.code, reason: faultClause(fault) })),
    problems,
    /** Worth knowing, and no problem. */
    notes: counts.total === 0 ? [] : putAside,
  }
  print(value, [
    `${bold('Data folder')}   ${store.layout.root}${profiles.length > 0 ? dim(`  (profile ${profiles.join(', ')})`) : ''}`,
    `${bold('Records')}       ${counts.total}${counts.total > 0 ? dim(`  ${listed(counts.byStatus)}; ${listed(counts.byKind)}`) : ''}`,
    ...(value.waiting > 0 ? [`${bold('Waiting')}       ${value.waiting}${dim('  mnemos candidates')}`] : []),
    `${bold('Recall')}        ${store.recallUnavailable ?? 'works'}`,
    `${bold('User memory')}   ${userMemory.entries.length}`,
    `${bold('Constitution')}  ${constitution.initialised ? `version ${constitution.version}` : 'the shipped template'}`,
    ...(problems.length === 0
      ? ['Nothing is wrong.']
      : [
          bold('Wrong'),
          ...problems.map((problem) => yellow(`  - ${problem}`)),
          'All of it, and what to do: mnemos doctor',
        ]),
    ...value.notes.map(dim),
  ])
}

/** What the configs of profiles that use a folder put aside by naming it. */
function putAsideBy(root: string): string[] {
  const dshHome = dshHomeOf(process.env)
  return Object.entries(readProfiles(nodeDisk, dshHome).profiles).flatMap(
    ([profile, { dataDir, chosen, configured }]) => {
      if (configured !== true || dataDir !== root) return []
      return overruled(nodeDisk, { dshHome, profile, folder: root, chosen }) ?? []
    },
  )
}
