/** The plugin's entry for the host: it wires the rooms together and decides nothing itself. */
import { systemClock } from './base/clock.ts'
import { readConfig } from './base/config.ts'
import { nodeDisk } from './base/disk.ts'
import { reasonOf } from './base/errors.ts'
import { oneLine } from './base/text.ts'
import { visible } from './base/visible.ts'
import { type HostContext, NAME } from './host/compat.ts'
import { profileOf } from './host/profile.ts'
import { rowSchema } from './host/row-schema.ts'
import { registerTools } from './host/tools.ts'
import { onTurnStart } from './host/turn-start.ts'
import { mountView } from './host/view.ts'
import { languageOf } from './constitution/constitution.ts'
import { disciplineLanguage, disciplines } from './constitution/discipline.ts'
import { identityGate } from './self-history/gate.ts'
import { ConstitutionKeeper } from './constitution/keeper.ts'
import { dataFolder, noteProfile, overruled, readProfiles } from './files/data-folder.ts'
import { Store } from './store/store.ts'
import { UserMemory } from './user-memory/user-memory.ts'
import { constitutionPart, disciplinePart, noticesPart, userMemoryPart } from './view/parts.ts'
import { selfHistoryPart } from './view/self-history.ts'
import { View } from './view/view.ts'

export const name = NAME

/** What every profile of every host has; anything else is asked for when it is needed. */
export const inject = ['tools', 'systemPrompt', 'agents', 'sessions']

export const Config = rowSchema()

/** One line on stderr. Standard output belongs to the answer. */
function tell(line: string): void {
  process.stderr.write(`mnemos: ${visible(oneLine(line))}\n`)
}

/** A failure here must not stop the boot: the host then runs without us, and the person is told. */
export async function apply(ctx: HostContext, raw: unknown): Promise<void> {
  if (process.env.MNEMOS?.trim().toLowerCase() === 'off') return
  try {
    await mount(ctx, raw)
  } catch (error) {
    tell(`not started: ${reasonOf(error)}`)
  }
}

async function mount(ctx: HostContext, raw: unknown): Promise<void> {
  const disk = nodeDisk
  const { config, problems } = readConfig(raw)
  const profile = profileOf(ctx, process.env)
  const configured = config.dataDir.trim() !== ''
  const chosen = readProfiles(disk, profile.dshHome).profiles[profile.name]?.chosen
  const { folder, problem } = dataFolder({
    environment: process.env,
    dshHome: profile.dshHome,
    profile: profile.name,
    configured: config.dataDir,
    chosen,
  })
  // A folder that the environment names holds for this run, and whoever names it knows.
  const isForThisRun = Boolean(process.env.MNEMOS_DATA?.trim())
  const putAside =
    configured && !isForThisRun
      ? overruled(disk, { dshHome: profile.dshHome, profile: profile.name, folder, chosen })
      : undefined
  const store = new Store({ root: folder, config, clock: systemClock, disk })
  const keeper = new ConstitutionKeeper(
    { disk, layout: store.layout, dshHome: profile.dshHome, now: systemClock.now },
    languageOf(config.language, process.env),
  )
  const constitution = () => keeper.constitution
  const disciplineOf = disciplines(disk)
  const discipline = () => disciplineOf(disciplineLanguage(config.language, constitution().language))
  store.admission.register(identityGate(store))
  store.say('config', problems.length > 0 ? problems.join(' ') : undefined)
  store.say('data folder', problem)
  store.say('constitution', keeper.aloud)
  store.say('discipline', discipline().problem)

  const userMemory = new UserMemory(store, disk)
  store.places.register(userMemory.place())

  const failed = new Set<string>()
  const report = (where: string, error: unknown) => {
    if (failed.has(where)) return
    failed.add(where)
    tell(`${where}: ${reasonOf(error)}`)
  }
  const view = new View((part, reason) => report(`the part ${part} of the view`, reason))
  view.register(constitutionPart(constitution))
  view.register(disciplinePart(() => discipline().text))
  view.register(userMemoryPart(userMemory))
  view.register(selfHistoryPart(store))
  view.register(noticesPart(() => store.problems()))

  registerTools(ctx, { store, constitution, userMemory, log: (line) => report('a tool', line) })
  onTurnStart(ctx, report, () => {
    keeper.refresh()
    store.say('constitution', keeper.aloud)
  })
  // Only while the memory is empty: with records in it, it is the one that is meant.
  const sayPutAside = () => {
    if (putAside !== undefined)
      store.say('put aside', store.isKnown && store.entries().length === 0 ? putAside : undefined)
  }
  const turnStart = async () => {
    try {
      await store.atTurnStart()
    } finally {
      userMemory.look()
      sayPutAside()
    }
  }
  mountView(ctx, view, turnStart, report)
  ctx.effect(() => () => store.close())

  // The command line reads the same variable.
  if (!isForThisRun) {
    store.say('profile', await noteProfile(disk, profile.dshHome, profile.name, folder, configured))
  }
  await keeper.settle()
  store.say('constitution', keeper.aloud)
  const start = async () => {
    await store.open()
    userMemory.look()
    sayPutAside()
    const wrong = store.problems()
    if (wrong.length > 0) tell(wrong.join(' '))
  }
  // A rejection that nobody takes would end the host's process.
  void start().catch((error) => report('the start', error))
}
