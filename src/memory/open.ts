/**
 * The one place where a memory is put together: the plugin, the command line and the tests all open it here, and a new
 * service is named here and nowhere else.
 */

import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Disk } from '../base/disk.ts'
import type { Language } from '../base/language.ts'
import { languageOf } from '../constitution/constitution.ts'
import type { Home } from '../constitution/constitution-files.ts'
import { disciplineLanguage, disciplines } from '../constitution/discipline.ts'
import { ConstitutionKeeper } from '../constitution/keeper.ts'
import { standing } from '../constitution/standing.ts'
import type { Finding } from '../doctor/finding.ts'
import { type Environment, isInUse } from '../files/data-folder.ts'
import { folderUse } from '../files/profiles.ts'
import type { Catalogue } from '../messages/catalogue.ts'
import { CATALOGUES, problemSentences } from '../messages/messages.ts'
import { identityGate } from '../self-history/gate.ts'
import { isolationGate } from '../store/isolation.ts'
import { textProblem } from '../store/problems.ts'
import { Store } from '../store/store.ts'
import { constitutionTool } from '../tools/constitution.ts'
import { recordTools } from '../tools/records.ts'
import type { Tool } from '../tools/tool.ts'
import { userMemoryTools } from '../tools/user-memory.ts'
import { examineUserMemory } from '../user-memory/doctor.ts'
import { UserMemory } from '../user-memory/user-memory.ts'
import { constitutionPart, disciplinePart, noticesPart, userMemoryPart } from '../view/parts.ts'
import { selfHistoryPart } from '../view/self-history.ts'
import { View } from '../view/view.ts'
import type { Service } from './service.ts'

export interface MemoryOptions {
  /** The data folder, absolute. */
  root: string
  config: Config
  clock: Clock
  disk: Disk
  /** The host's home, which holds `profiles.json`. */
  dshHome: string
  /** Tells the system's language. */
  environment: Environment
  /** Told once for each part of the view that cannot be drawn; its last text stands then. */
  onFailedPart?: (part: string, reason: string) => void
}

export interface Memory {
  store: Store
  userMemory: UserMemory
  /** The constitution of this run; looked at when it is first asked for. */
  constitution(): ConstitutionKeeper
  /** Where the constitution lies. */
  home: Home
  /** Of the shipped texts: as configured, else that of the system. */
  language: Language
  /** What is said to the person outside of the view, in that language. */
  catalogue: Catalogue
  tools: readonly Tool[]
  view: View
  /** Finishes what an earlier run left, apart from the records. Never rejects. */
  settle(): Promise<void>
  /** Opens the folder, and looks at what the services keep in it. Never rejects. */
  open(): Promise<void>
  /** Before the first request of a turn is put together; at once. */
  beginTurn(): void
  /** Before the view of a turn is drawn: waits, for a bounded time, until it is what lies in the folder. */
  atTurnStart(): Promise<void>
  /** What the doctor says of the services. It only looks. */
  examine(): Finding[]
  close(): void
}

/** Puts a memory together. Nothing is read or written before it is asked for. */
export function openMemory(options: MemoryOptions): Memory {
  const { root, config, clock, dshHome, environment } = options
  const use = folderUse(options.disk, dshHome, root)
  const store = new Store({ root, config, clock, disk: options.disk, use })
  const { disk } = store
  const home: Home = { disk, layout: store.layout, dshHome, now: clock.now }
  const language = languageOf(config.language, environment)
  const catalogue = CATALOGUES[language]
  const constitution = once(() => new ConstitutionKeeper(home, language))
  const disciplineOf = disciplines(disk)
  /** Of what stands in requests. */
  const shownLanguage = () => disciplineLanguage(config.language, constitution().constitution.language)
  const discipline = () => disciplineOf(shownLanguage())
  const userMemory = new UserMemory(store, disk)

  const services: readonly Service[] = [
    {
      tools: recordTools(store, catalogue.questions),
      gates: [isolationGate(store), identityGate(store)],
      parts: [
        selfHistoryPart(store),
        noticesPart((language) => problemSentences(store.problems(), CATALOGUES[language])),
      ],
    },
    {
      tools: [constitutionTool(() => constitution().constitution)],
      parts: [constitutionPart(() => constitution().constitution), disciplinePart(() => discipline().text)],
      async settle() {
        await constitution().settle()
        store.report('constitution', textProblem(constitution().reported))
        store.report('discipline', textProblem(discipline().problem))
      },
      beginTurn() {
        constitution().refresh()
        store.report('constitution', textProblem(constitution().reported))
      },
      examine: () => standing(home, language).findings,
    },
    {
      tools: userMemoryTools(userMemory, catalogue.questions),
      parts: [userMemoryPart(userMemory)],
      places: [userMemory.place()],
      freshen: () => userMemory.look(),
      examine: () => examineUserMemory(disk, store.layout),
    },
  ]

  const view = new View(shownLanguage, options.onFailedPart ?? (() => {}))
  for (const service of services) {
    for (const gate of service.gates ?? []) store.admission.register(gate)
    for (const place of service.places ?? []) store.places.register(place)
    for (const part of service.parts ?? []) view.register(part)
  }
  /** Notes that the folder holds a memory, so that an empty one in its place is not taken for a new one. */
  const noteUse = async () => {
    if (store.readOnly === undefined && isInUse(disk, root)) await use.note()
  }
  const freshen = () => {
    for (const service of services) service.freshen?.()
  }
  return {
    store,
    userMemory,
    constitution,
    home,
    language,
    catalogue,
    tools: services.flatMap(({ tools = [] }) => tools.map((tool) => ({ ...tool, folder: root }))),
    view,
    async settle() {
      for (const service of services) await service.settle?.()
    },
    async open() {
      await store.open()
      freshen()
      await noteUse()
    },
    beginTurn() {
      for (const service of services) service.beginTurn?.()
    },
    async atTurnStart() {
      try {
        await store.atTurnStart()
      } finally {
        freshen()
        // The turn does not wait for it.
        void noteUse()
      }
    },
    examine: () => services.flatMap((service) => service.examine?.() ?? []),
    close: () => store.close(),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
