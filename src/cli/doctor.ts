/** `mnemos doctor`: what is wrong with a data folder and what to do. Without --fix it changes nothing. */
import { existsSync } from 'node:fs'
import { systemClock } from '../base/clock.ts'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { nodePlace } from '../base/place.ts'
import { languageOf } from '../constitution/constitution.ts'
import { restoreText } from '../constitution/restore.ts'
import { standing } from '../constitution/standing.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { type Finding, finding, isHealthy } from '../doctor/finding.ts'
import { fix as repair } from '../doctor/fix.ts'
import { emptyProfile, profilesDamaged } from '../doctor/profiles.ts'
import { failureOf, type Repaired } from '../doctor/repair.ts'
import { dshHomeOf } from '../files/data-folder.ts'
import { layoutOf } from '../files/layout.ts'
import { findingAdvice, findingShown, repairClause } from '../messages/messages.ts'
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
  let repaired: Repaired[] = []
  let forgotten = 0
  if (folder !== undefined && existsSync(folder) && (fix === true || forgetAbsent === true)) {
    if (!json && fix === true) announce(findings)
    const { store } = memoryIn({ folder, profiles })
    await store.refresh(progressBar('Indexing'))
    try {
      // First: a rebuilt index would not know of them any more, and the ledger would have no line.
      if (forgetAbsent === true) forgotten = await store.forgetAbsent()
      if (fix === true) repaired = [...(await repair(store, findings)), ...(await repairConstitution(folder))]
    } finally {
      store.close()
    }
    ;({ findings, records } = look())
  }
  const healthy = isHealthy(findings)
  const value = {
    data: folder ?? null,
    profiles,
    healthy,
    records,
    findings: findings.map((one) => findingShown(one)),
    repaired: repaired.map(({ failed, ...one }) => (failed ? { ...one, failed: repairClause(failed) } : one)),
    forgotten,
  }
  print(value, [
    ...(folder === undefined ? [] : [`${bold('Data folder')}  ${folder}`]),
    ...repaired.map(({ code, path, failed }) =>
      failed === undefined
        ? `Repaired      ${path} ${dim(code)}`
        : yellow(`Not repaired  ${path} (${repairClause(failed)}) ${code}`),
    ),
    ...(forgetAbsent === true ? [`${forgotten} absent files are forgotten.`] : []),
    ...findings.flatMap(shown),
    healthy
      ? `Nothing is wrong with ${records === 1 ? 'its one record' : `its ${records} records`}.`
      : 'Something is to be put right.',
  ])
  if (!healthy) process.exitCode = EXIT.failed
}

async function repairConstitution(folder: string): Promise<Repaired[]> {
  try {
    return await restoreText(homeOf(folder))
  } catch (error) {
    return [{ code: 'CONSTITUTION_CHANGED', path: 'constitution/constitution.md', failed: failureOf(error) }]
  }
}

function shown(finding: Finding): string[] {
  const { code, severity, sentence, remedy } = findingShown(finding)
  return [
    `${severity === 'notice' ? dim(severity) : yellow(severity)}  ${sentence} ${dim(code)}`,
    ...(remedy === '' ? [] : [`    ${remedy}`]),
  ]
}

/** A restored copy is the one thing whose text is gone after the repair, so it is said before. */
function announce(findings: readonly Finding[]): void {
  for (const one of findings) {
    if (one.code !== 'RESTORED_COPY') continue
    process.stderr.write(`mnemos: Removing ${one.paths.join(', ')}. ${findingAdvice(one).sentence}\n`)
  }
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
    const missing = finding('NO_FOLDER', { folder, dshHome })
    return { records: 0, findings: [missing, ...profiles, ...emptyProfile(nodeDisk, dshHome, folder)] }
  }
  const examined = { disk: nodeDisk, layout: layoutOf(folder), place: nodePlace, now: systemClock.now() }
  const { findings, records } = examine(examined, progressBar('Examining'))
  return {
    records,
    findings: [
      ...findings,
      ...standing(homeOf(folder), languageOf('auto', process.env)).findings,
      ...examineUserMemory(nodeDisk, examined.layout),
      ...profiles,
      ...(records === 0 ? emptyProfile(nodeDisk, dshHome, folder) : []),
    ],
  }
}
