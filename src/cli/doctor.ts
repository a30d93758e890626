/** `mnemos doctor`: what is wrong with a data folder and what to do. Without --fix it changes nothing. */

import { answerDoctor, type DoctorAnswer } from '../answers/doctor.ts'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import type { Finding } from '../doctor/finding.ts'
import { dshHomeOf } from '../files/data-folder.ts'
import { chosenMemory } from '../memory/choose.ts'
import type { Memory } from '../memory/open.ts'
import { findingShown } from '../messages/messages.ts'
import { EXIT } from './exit-codes.ts'
import { refuseInsideHost } from './person-only.ts'
import { progressBar } from './progress.ts'
import { type Globals, printer } from './session.ts'
import { bold, dim, yellow } from './style.ts'

interface DoctorOptions {
  fix?: boolean
  forgetAbsent?: boolean
}

export async function doctorCommand(globals: Globals, options: DoctorOptions): Promise<void> {
  const { fix = false, forgetAbsent = false } = options
  if (fix || forgetAbsent) refuseInsideHost('doctor --fix')
  const { print, json } = printer(globals)
  const { memory, profiles } = memoryIfKnown(globals)
  const answer = await answerDoctor({
    memory,
    profiles,
    machine: { disk: nodeDisk, dshHome: dshHomeOf(process.env) },
    // With --data the profiles of this machine have no say.
    looksAtProfiles: globals.data === undefined,
    fix,
    forgetAbsent,
    progress: progressBar,
    ...(json ? {} : { beforeFix: announceRemovals }),
  })
  const { data, healthy, records, findings, repaired, forgotten } = answer
  print(answer, [
    ...(data === null ? [] : [`${bold('Data folder')}  ${data}`]),
    ...repairLines(repaired),
    ...(forgetAbsent ? [`${forgotten} absent files are forgotten.`] : []),
    ...findings.flatMap(findingLines),
    healthy
      ? `Nothing is wrong with ${records === 1 ? 'its one record' : `its ${records} records`}.`
      : 'Something needs to be repaired.',
  ])
  if (!healthy) process.exitCode = EXIT.failed
}

/** Of repairs of one kind that many are named. */
const NAMED = 3

/** A line for each repair; what was done to many files alike stands in one. */
function repairLines(repaired: DoctorAnswer['repaired']): string[] {
  const alike = Map.groupBy(repaired, (one) => `${one.code} ${one.failed ?? ''} ${one.kept ?? ''}`)
  return [...alike.values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const { code, failed, kept } = first
    const paths = all.map(({ path }) => (path === '.' ? 'the data folder' : path))
    const rest = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
    const what = `${paths.slice(0, NAMED).join(', ')}${rest}`
    if (failed !== undefined) return [yellow(`Not repaired  ${what} (${failed}) ${code}`)]
    const where = kept === undefined ? '' : ` (what lay there is kept as ${kept})`
    return [`Repaired      ${what}${where} ${dim(code)}`]
  })
}

const findingLines = ({ code, severity, sentence, remedy }: DoctorAnswer['findings'][number]): string[] => [
  `${severity === 'notice' ? dim(severity) : yellow(severity)}  ${sentence} ${dim(code)}`,
  ...(remedy === '' ? [] : [`    ${remedy}`]),
]

/** A restored copy is the one thing whose text is gone after a repair, so it is told before. */
function announceRemovals(findings: readonly Finding[]): void {
  for (const one of findings) {
    if (one.code !== 'RESTORED_COPY') continue
    process.stderr.write(`mnemos: Removing ${one.paths.join(', ')}. ${findingShown(one).sentence}\n`)
  }
}

/** The memory that is meant; undefined where no profile is known, which is then among the findings. */
function memoryIfKnown(globals: Globals): { memory: Memory | undefined; profiles: readonly string[] } {
  try {
    return chosenMemory(globals)
  } catch (error) {
    if (error instanceof MnemosError && error.code === 'NOT_FOUND')
      return { memory: undefined, profiles: globals.profile === undefined ? [] : [globals.profile] }
    throw error
  }
}
