/** Where a memory lies, what it holds and what is wrong with it. */
import type { Language } from '../base/language.ts'
import type { ConstitutionState, Home } from '../constitution/constitution-files.ts'
import { standing } from '../constitution/standing.ts'
import { openToOthers } from '../doctor/folder.ts'
import { overruled } from '../files/data-folder.ts'
import { readProfiles } from '../files/profiles.ts'
import { faultClause, findingAdvice, problemSentences } from '../messages/messages.ts'
import type { Store } from '../store/store.ts'
import type { UserMemory } from '../user-memory/user-memory.ts'

export interface StatusAnswer {
  /** The data folder, absolute. */
  data: string
  /** Those that are known to use it. */
  profiles: readonly string[]
  records: Awaited<ReturnType<Store['counts']>>
  /** How many records wait for a decision. */
  waiting: number
  /** `works`, or why it does not. */
  recall: string
  writable: boolean
  /** Entries of the user memory. */
  userMemory: number
  /** `version` is that of the approved text, null where none is. */
  constitution: { initialised: boolean; state: ConstitutionState; version: number | null; hash: string }
  /** Files that are skipped, each with the reason. */
  skipped: { path: string; reason: string }[]
  problems: string[]
  /** Worth knowing, and no problem. */
  notes: string[]
}

export interface Examined {
  store: Store
  userMemory: UserMemory
  home: Home
  /** Of the shipped constitution. */
  language: Language
}

export async function answerStatus(
  { store, userMemory, home, language }: Examined,
  profiles: readonly string[],
): Promise<StatusAnswer> {
  const records = await store.counts()
  userMemory.look()
  const { constitution, approved, state, reported } = standing(home, language)
  const unused = profiles.length === 0 ? [] : unusedFolders(home)
  return {
    data: store.layout.root,
    profiles,
    records,
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
    skipped: store.bad().map(({ path, fault }) => ({ path, reason: faultClause(fault) })),
    problems: [
      ...problemSentences(store.problems()),
      ...reported,
      // What only the person can repair, and no model has to know.
      ...openToOthers(home.disk, home.layout).map((one) => findingAdvice(one).sentence),
      ...(records.total === 0 ? unused : []),
    ],
    notes: records.total === 0 ? [] : unused,
  }
}

/** Folders that are not in use because the config of a profile names this one: a sentence each. */
function unusedFolders({ disk, dshHome, layout: { root } }: Home): string[] {
  return Object.entries(readProfiles(disk, dshHome).profiles).flatMap(
    ([profile, { dataDir, chosen, configured }]) => {
      if (configured !== true || dataDir !== root) return []
      return overruled(disk, { dshHome, profile, folder: root, chosen }) ?? []
    },
  )
}
