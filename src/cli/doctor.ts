/** `mnemos doctor`: what is wrong with a data folder and what to do. Without --fix it changes nothing. */
import { existsSync } from 'node:fs'
import { systemClock } from '../base/clock.ts'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError, reasonOf } from '../base/errors.ts'
import { nodePlace } from '../base/place.ts'
import { languageOf } from '../constitution/constitution.ts'
import { restoreText } from '../constitution/restore.ts'
import { standing } from '../constitution/standing.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { type Finding, finding, isIll } from '../doctor/finding.ts'
import { fix as repair } from '../doctor/fix.ts'
import { emptyProfile, profilesDamaged } from '../doctor/profiles.ts'
import type { Mended } from '../doctor/repair.ts'
import { dshHomeOf } from '../files/data-folder.ts'
import { layoutOf } from '../files/layout.ts'
import { examineUserMemory } from '../user-memory/doctor.ts'
import { EXIT } from './exit-codes.ts'
import { homeOf } from './home.ts'
import { refuseInsideHost } from './person-only.ts'
import { progressBar } from './progress.ts'
import { answer, chooseFolder, type Globals, memoryIn } from './session.ts'
import { bold, dim, yellow } from './style.ts'

interface Options {
  fix?: boolean
  forgetAbsent?: boolean
}

export async function doctorCommand(globals: Globals, { fix, forgetAbsent }: Options): Promise<void> {
  if (fix === true || forgetAbsent === true) refuseInsideHost('doctor --fix')
  const { print, json } = answer(globals)
  const { folder, profiles } = chosen(globals)
  const look = () => examination(globals, folder)
  let { findings, records } = look()
  let mended: Mended[] = []
  let forgotten = 0
  if (folder !== undefined && existsSync(folder) && (fix === true || forgetAbsent === true)) {
    if (!json && fix === true) announce(findings)
    const { store } = memoryIn({ folder, profiles })
    await store.refresh(progressBar('Indexing'))
    try {
      // First: a rebuilt index would not know of them any more, and the ledger would have no line.
      if (forgetAbsent === true) forgotten = await store.forgetAbsent()
      if (fix === true) mended = [...(await repair(store, findings)), ...(await mendConstitution(folder))]
    } finally {
      store.close()
    }
    ;({ findings, records } = look())
  }
  const healthy = !isIll(findings)
  print({ data: folder ?? null, profiles, healthy, records, findings, mended, forgotten }, [
    ...(folder === undefined ? [] : [`${bold('Data folder')}  ${folder}`]),
    ...mended.map(({ code, path, failed }) =>
      failed === undefined
        ? `Mended      ${path} ${dim(code)}`
        : yellow(`Not mended  ${path} (${failed}) ${code}`),
    ),
    ...(forgetAbsent === true ? [`${forgotten} absent files are forgotten.`] : []),
    ...findings.flatMap(shown),
    healthy
      ? `Nothing is wrong with ${records === 1 ? 'its one record' : `its ${records} records`}.`
      : 'Something is to be put right.',
  ])
  if (!healthy) process.exitCode = EXIT.failed
}

async function mendConstitution(folder: string): Promise<Mended[]> {
  try {
    return await restoreText(homeOf(folder))
  } catch (error) {
    return [{ code: 'CONSTITUTION_CHANGED', path: 'constitution/constitution.md', failed: reasonOf(error) }]
  }
}

const shown = ({ code, severity, sentence, remedy }: Finding): string[] => [
  `${severity === 'notice' ? dim(severity) : yellow(severity)}  ${sentence} ${dim(code)}`,
  ...(remedy === '' ? [] : [`    ${remedy}`]),
]

/** A restored copy is the one thing whose text is gone after mending, so it is said before. */
function announce(findings: readonly Finding[]): void {
  for (const { code, paths, sentence } of findings)
    if (code === 'RESTORED_COPY') process.stderr.write(`mnemos: Removing ${paths.join(', ')}. ${sentence}\n`)
}

/** The folder that is meant; undefined where no profile is known, which is then among the findings. */
function chosen(globals: Globals): { folder: string | undefined; profiles: readonly string[] } {
  try {
    return chooseFolder(globals, process.env)
  } catch (error) {
    if (error instanceof MnemosError && error.code === 'NOT_FOUND')
      return { folder: undefined, profiles: globals.profile === undefined ? [] : [globals.profile] }
    throw error
  }
}

function examination(globals: Globals, folder: string | undefined): Examination {
  const dshHome = dshHomeOf(process.env)
  // With --data the profiles of this machine have no say.
  const profiles = globals.data === undefined ? profilesDamaged(nodeDisk, dshHome) : []
  if (folder === undefined || !existsSync(folder)) {
    const missing = finding(
      'NO_FOLDER',
      folder === undefined
        ? `No profile in ${dshHome} has started Mnemos yet.`
        : `There is no data folder ${folder}.`,
      'Start the host once with the plugin, or name a folder with --data.',
    )
    return { records: 0, findings: [missing, ...profiles, ...emptyProfile(nodeDisk, dshHome, folder)] }
  }
  const patient = { disk: nodeDisk, layout: layoutOf(folder), place: nodePlace, now: systemClock.now() }
  const { findings, records } = examine(patient, progressBar('Examining'))
  return {
    records,
    findings: [
      ...findings,
      ...standing(homeOf(folder), languageOf('auto', process.env)).findings,
      ...examineUserMemory(nodeDisk, patient.layout),
      ...profiles,
      ...(records === 0 ? emptyProfile(nodeDisk, dshHome, folder) : []),
    ],
  }
}
