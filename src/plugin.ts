/** The plugin's entry for the host: it wires and decides nothing itself. */
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
import { openMemory } from './memory/open.ts'
import { placeOf } from './memory/place.ts'
import { problemSentences } from './messages/messages.ts'
import { textProblem } from './store/problems.ts'

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

/** Each place that fails is told of once. */
function reporter(): (where: string, error: unknown) => void {
  const failed = new Set<string>()
  return (where, error) => {
    if (failed.has(where)) return
    failed.add(where)
    tell(`${where}: ${reasonOf(error)}`)
  }
}

async function mount(ctx: HostContext, raw: unknown): Promise<void> {
  const report = reporter()
  const { config, problems } = readConfig(raw)
  const profile = profileOf(ctx, process.env)
  const place = placeOf({ disk: nodeDisk, environment: process.env, profile, config })
  const memory = openMemory({
    root: place.root,
    config,
    clock: systemClock,
    disk: nodeDisk,
    dshHome: profile.dshHome,
    environment: process.env,
    onFailedPart: (part, reason) => report(`the part ${part} of the view`, reason),
  })
  const { store, catalogue } = memory
  store.report('config', problems.length > 0 ? { code: 'CONFIG', problems } : undefined)
  store.report('data folder', textProblem(place.problem))
  const reportPlace = () => {
    // Only while the memory is empty: with records in it, it is the one that is meant.
    if (place.overruled !== undefined)
      store.report(
        'overruled',
        store.isKnown && store.entries().length === 0 ? textProblem(place.overruled) : undefined,
      )
  }

  const workspaceOf = (folder: string | undefined) => store.workspaceOf(folder)
  registerTools(ctx, {
    workspaceOf,
    tools: memory.tools,
    problems: () => problemSentences(store.problems(), catalogue),
    log: (line) => report('a tool', line),
  })
  onTurnStart(ctx, report, () => memory.beginTurn())
  const atTurnStart = () => memory.atTurnStart().finally(reportPlace)
  mountView(ctx, memory.view, { freshen: atTurnStart, workspaceOf }, report)
  ctx.effect(() => () => memory.close())

  store.report('profile', textProblem(await place.note()))
  await memory.settle()
  const start = async () => {
    await memory.open()
    reportPlace()
    const wrong = problemSentences(store.problems(), catalogue)
    if (wrong.length > 0) tell(wrong.join(' '))
  }
  // A rejection that nobody takes would end the host's process.
  void start().catch((error) => report('the start', error))
}
