/**
 * `mnemos init`: makes the constitution the person's own, and lets several profiles share one folder. It may be the
 * first that is done with a folder, before any host started.
 */

import { answerInit, type InitAnswer } from '../answers/init.ts'
import { refuseForeign } from '../answers/init-folder.ts'
import { noteUnstarted } from '../answers/profiles.ts'
import { assertShareable, shareFolder } from '../answers/sharing.ts'
import { MnemosError } from '../base/errors.ts'
import { type Cost, STRONG } from '../constitution/seal.ts'
import { memoryIn } from '../memory/choose.ts'
import { holdingsText } from './holdings.ts'
import { type ConstitutionOptions, initConstitution } from './init-constitution.ts'
import { askedFolder, askedSharing } from './init-folder.ts'
import { type Questions, terminalQuestions } from './init-questions.ts'
import { modelWorkLines, PRIVACY } from './model-work.ts'
import { refuseInsideHost } from './person-only.ts'
import { type Globals, printer } from './session.ts'
import { bold, dim, wrapped, yellow } from './style.ts'

export interface InitOptions extends ConstitutionOptions {
  share?: string[]
  yes?: boolean
}

export function initCommand(globals: Globals, options: InitOptions): Promise<void> {
  const asks = options.yes !== true && globals.json !== true && process.stdin.isTTY === true
  return init(globals, options, asks ? terminalQuestions : undefined, process.env)
}

/**
 * @param questions undefined where nobody is there to ask.
 * @param cost what guessing the passphrase costs.
 */
export async function init(
  globals: Globals,
  options: InitOptions,
  questions: Questions | undefined,
  environment: NodeJS.ProcessEnv,
  cost: Cost = STRONG,
): Promise<void> {
  refuseInsideHost('init', environment)
  if (!questions && options.yes !== true)
    throw new MnemosError(
      'REFUSED',
      'Nothing was changed: there is no terminal to ask at.',
      'For scripts: mnemos init --yes, with the passphrase in MNEMOS_PASSPHRASE.',
    )
  const meant = await askedFolder(globals, questions, environment)
  const { folder, profile } = meant
  const own = profile === undefined ? [] : [profile]
  const { home, language } = memoryIn({ folder, profiles: own }, environment)
  const { disk, dshHome } = home
  refuseForeign(disk, folder)
  const shared = await askedSharing(options.share, meant, globals, questions, environment)
  const names = [...new Set([...own, ...shared.map(({ name }) => name)])]
  const sharing = shared.length > 0
  if (sharing) assertShareable(disk, dshHome, folder, names)

  const done = await initConstitution({ home, language, questions, environment, cost }, options, sharing)
  if (sharing) await shareFolder(disk, dshHome, folder, names)
  else if (profile !== undefined) await noteUnstarted(disk, dshHome, profile, folder)

  const named = globals.data ? undefined : globals.profile
  const answer = answerInit(home, done, { names, shared, named })
  printer(globals).print(answer, initLines(answer, questions === undefined))
}

/** @param tells what a person at a terminal was told before the first question is told with the answer. */
function initLines(answer: InitAnswer, tells: boolean): string[] {
  const { data, did, shared } = answer
  const isNew = did === 'approved' || did === 'replaced'
  const names = answer.profiles
  return [
    `${bold('Data folder')}   ${data}${names.length > 0 ? dim(`  (profile ${names.join(', ')})`) : ''}`,
    `${bold('Constitution')}  ${constitutionText(answer)}`,
    ...answer.warnings.map(yellow),
    ...(isNew
      ? [
          'Read it with: mnemos constitution show',
          'Nobody can recover the passphrase; where it is forgotten: mnemos init --replace',
        ]
      : []),
    ...(did === 'replaced' ? ['Running hosts keep what they started with: restart them.'] : []),
    ...(shared ? [`${names.join(' and ')} share this folder from their next start.`] : []),
    ...answer.recordsLeft.map(
      (one) =>
        `What ${one.profile} had stays in ${one.folder}: ${holdingsText(one)}. To bring memories/ and user-memory/ along, copy them into those of the data folder; of constitutions the one here holds.`,
    ),
    ...(shared
      ? ["To undo it for one of them: set dataDir in that profile's cordis.patch.yml to its own folder."]
      : []),
    ...(tells && isNew ? ['', ...wrapped([...modelWorkLines(), ...PRIVACY])] : []),
  ]
}

function constitutionText({ did, version, language, file }: InitAnswer): string {
  if (did === 'nothing') return `version ${version}, as it was`
  if (did === 'confirmed') return `version ${version} is confirmed for this machine`
  return `version ${version} (${language}) is approved: ${file}`
}
