/**
 * `mnemos init`: makes the constitution the person's own, and lets several profiles share one folder. It may be the
 * first that is done with a folder, before any host started.
 */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nodeDisk } from '../base/disk.ts'
import { MnemosError } from '../base/errors.ts'
import { checkPlaces } from '../constitution/approval-files.ts'
import { confirm, initialise, isUnconfirmed } from '../constitution/approve.ts'
import { LANGUAGES, type Language, languageOf, lengthWarning } from '../constitution/constitution.ts'
import type { Home } from '../constitution/constitution-files.ts'
import type { NewText } from '../constitution/draft.ts'
import { type Cost, STRONG } from '../constitution/seal.ts'
import { fingerprint } from '../constitution/signing.ts'
import { type ConstitutionStanding, standing } from '../constitution/standing.ts'
import { TEMPLATE_MISSING, templateText } from '../constitution/template.ts'
import { dshHomeOf } from '../files/data-folder.ts'
import { draftFile } from './draft-file.ts'
import { homeOf } from './home.ts'
import { type Questions, terminalQuestions } from './init-questions.ts'
import { MODEL_WORK, modelWorkLines, PRIVACY } from './model-work.ts'
import { knownPassphrase, newPassphrase } from './passphrase.ts'
import { refuseInsideHost } from './person-only.ts'
import {
  assertShareable,
  holdings,
  isProfile,
  noteUnstarted,
  type Profile,
  profilesWithMnemos,
  shareFolder,
} from './profiles.ts'
import { answer, chooseFolder, type Globals, isDataFolder } from './session.ts'
import { bold, dim, wrapped, yellow } from './style.ts'

export interface InitOptions {
  language?: string
  from?: string
  share?: string[]
  replace?: boolean
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
  const { print } = answer(globals)
  const { folder, profile } = await target(globals, questions, environment)
  refuseForeign(folder)
  const shared = await sharedWith(options.share, folder, profile, globals, questions, environment)
  const home = homeOf(folder, environment)
  const now = standing(home, languageOf('auto', environment))
  const names = [...new Set([...(profile === undefined ? [] : [profile]), ...shared.map(({ name }) => name)])]
  if (shared.length > 0) assertShareable(home.dshHome, folder, names)

  const done = await constitutionOf({ home, now, questions, environment, cost }, options, shared.length > 0)
  if (shared.length > 0) await shareFolder(home.dshHome, folder, names)
  else if (profile !== undefined) await noteUnstarted(home.dshHome, profile, folder)

  const after = standing(home, 'en')
  const left = shared.filter((one) => one.folder !== folder && holdings(one) !== '')
  const isNew = done.did === 'approved' || done.did === 'replaced'
  const long = after.approved && done.did !== 'nothing' ? lengthWarning(after.approved.text) : undefined
  const unknown =
    globals.profile !== undefined && !globals.data && !isProfile(home.dshHome, globals.profile)
      ? `No such profile yet: "${globals.profile}" is not in ${join(home.dshHome, 'profiles')}. Its memory waits here until there is one.`
      : undefined
  const warnings = [unknown, long, done.warning].filter((one) => one !== undefined)
  const value = {
    data: folder,
    profiles: names,
    shared: shared.length > 0,
    did: done.did,
    version: after.approved?.version ?? null,
    language: after.approved?.language ?? null,
    key: after.approved ? fingerprint(after.approved.key) : null,
    file: home.layout.constitution,
    recordsLeft: left.map(({ name, folder: at, files, userMemory, constitution }) => ({
      profile: name,
      folder: at,
      files,
      userMemory,
      constitution,
    })),
    modelWork: MODEL_WORK,
    warnings,
  }
  print(value, [
    `${bold('Data folder')}   ${folder}${names.length > 0 ? dim(`  (profile ${names.join(', ')})`) : ''}`,
    `${bold('Constitution')}  ${done.sentence}`,
    ...warnings.map(yellow),
    ...(isNew
      ? [
          'Read it with: mnemos constitution show',
          'Nobody can recover the passphrase; where it is forgotten: mnemos init --replace',
        ]
      : []),
    ...(done.did === 'replaced' ? ['Running hosts keep what they started with: restart them.'] : []),
    ...(shared.length > 0 ? [`${names.join(' and ')} share this folder from their next start.`] : []),
    ...left.map(
      (one) =>
        `What ${one.name} had stays in ${one.folder}: ${holdings(one)}. To bring memories/ and user-memory/ along, copy them into those of the data folder; of constitutions the one here holds.`,
    ),
    ...(shared.length > 0
      ? ["To undo it for one of them: set dataDir in that profile's cordis.patch.yml to its own folder."]
      : []),
    ...(questions || !isNew ? [] : ['', ...wrapped([...modelWorkLines(), ...PRIVACY])]),
  ])
}

interface Done {
  did: 'approved' | 'replaced' | 'confirmed' | 'nothing'
  sentence: string
  warning?: string | undefined
}

interface Scene {
  home: Home
  now: ConstitutionStanding
  questions: Questions | undefined
  environment: NodeJS.ProcessEnv
  cost: Cost
}

async function constitutionOf(scene: Scene, options: InitOptions, sharing: boolean): Promise<Done> {
  const { home, now, questions, environment, cost } = scene
  const { replace = false } = options
  if (!replace && isUnconfirmed(now)) {
    if (now.approved) questions?.show('The text that is about to be confirmed', now.approved.text)
    const passphrase = await knownPassphrase(questions?.passphrase, environment)
    const { version, warning } = await confirm(home, passphrase)
    return { did: 'confirmed', sentence: `version ${version} is confirmed for this machine`, warning }
  }
  if (!replace && sharing && now.approved)
    return { did: 'nothing', sentence: `version ${now.approved.version}, as it was` }
  // Asked before anything else: a passphrase for nothing would be a nuisance.
  if (!replace && (now.state === 'approved' || now.state === 'lost')) {
    throw new MnemosError(
      'REFUSED',
      now.approved
        ? `This folder has a constitution already (version ${now.approved.version}); nothing was changed.`
        : 'A constitution was approved for this folder and cannot be verified now; nothing was changed.',
      'Change it with: mnemos constitution update <file>. Where the passphrase is forgotten, or all is lost: mnemos init --replace',
    )
  }
  // What is certain to be refused is refused before anything is told or asked.
  languageNamed(options.language)
  if (options.from !== undefined) draftFile(options.from)
  checkPlaces(home)
  questions?.tell('Before you begin', [...modelWorkLines(), '', ...PRIVACY])
  const text = await textFor(scene, options)
  questions?.show(`The text that is about to be approved (${text.language})`, text.text)
  const passphrase = await newPassphrase(questions?.passphrase, environment)
  const { version, warning } = await initialise(home, text, passphrase, { replace, cost })
  const isNew = now.state === 'template' || now.state === 'waiting'
  return {
    did: isNew ? 'approved' : 'replaced',
    warning,
    sentence: `version ${version} (${text.language}) is approved: ${home.layout.constitution}`,
  }
}

async function textFor(
  { home, now, questions, environment }: Scene,
  { from, language }: InitOptions,
): Promise<NewText> {
  const wanted = languageNamed(language)
  const own = (file: string): NewText => {
    const draft = draftFile(file)
    return wanted === undefined ? draft : { ...draft, language: wanted }
  }
  if (from !== undefined) return own(from)
  // A forgotten passphrase is no reason to lose the text.
  if (now.approved && wanted === undefined) return now.approved
  if (now.state === 'waiting') {
    const { constitution: file } = home.layout
    // Whoever put it there, only the person's word makes it theirs.
    if (!questions)
      throw new MnemosError(
        'REFUSED',
        `A text that is not approved lies at ${file}; nothing was changed.`,
        `Name it to approve it (mnemos init --from ${file}), or move it away.`,
      )
    const take = await questions.takeWaiting(file)
    if (take === undefined) throw givenUp()
    if (take) return own(file)
  }
  const preset = wanted ?? languageNamed(environment.MNEMOS_LANGUAGE?.trim() || undefined)
  const asked = preset ?? (await questions?.language(languageOf('auto', environment)))
  if (asked === undefined && questions) throw givenUp()
  const inForce = asked ?? languageOf('auto', environment)
  const text = templateText(home.disk, inForce)
  if (text === undefined) throw new MnemosError('UNAVAILABLE', TEMPLATE_MISSING)
  return { text, language: inForce }
}

function languageNamed(name: string | undefined): Language | undefined {
  if (name === undefined) return undefined
  const known = LANGUAGES.find((one) => one === name)
  if (!known)
    throw new MnemosError('INVALID_INPUT', `"${name}" is no language of the templates.`, 'Take zh or en.')
  return known
}

/** The folder that is meant; a profile need not have started yet. */
async function target(
  globals: Globals,
  questions: Questions | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<{ folder: string; profile: string | undefined }> {
  if (globals.profile !== undefined && /[\\/]|^\.*$/.test(globals.profile))
    throw new MnemosError('INVALID_INPUT', `"${globals.profile}" is no name of a profile.`)
  if (globals.data || environment.MNEMOS_DATA?.trim() || globals.profile !== undefined)
    return { folder: chooseFolder(globals, environment).folder, profile: globals.profile }
  const dshHome = dshHomeOf(environment)
  const profiles = profilesWithMnemos(dshHome)
  const [first] = profiles
  if (!first)
    throw new MnemosError(
      'NOT_FOUND',
      `No profile in ${dshHome} has Mnemos.`,
      'Name the profile with --profile, or the folder with --data.',
    )
  if (profiles.every(({ folder }) => folder === first.folder))
    return { folder: first.folder, profile: first.name }
  const name = await questions?.profile(profiles)
  if (name === undefined && questions) throw givenUp()
  const found = profiles.find((one) => one.name === name)
  if (found) return { folder: found.folder, profile: found.name }
  throw new MnemosError(
    'INVALID_INPUT',
    `Several profiles have Mnemos: ${profiles.map((one) => one.name).join(', ')}.`,
    'Name one with --profile.',
  )
}

/** What a person may have put there before anything of ours ran. */
const MADE_BY_HAND = ['constitution', 'user-memory']

/** A folder of something else does not become one of ours by a slip of the hand. */
function refuseForeign(folder: string): void {
  if (nodeDisk.stamp(folder)?.kind !== 'folder' || isDataFolder(folder)) return
  const inside = readdirSync(folder).filter((name) => !MADE_BY_HAND.includes(name) && !name.startsWith('.'))
  if (inside.length === 0) return
  throw new MnemosError(
    'REFUSED',
    `${folder} is no data folder of Mnemos and holds other files (${inside[0]}, …); nothing was changed.`,
    'Name another with --data.',
  )
}

/** The other profiles that are to use the folder. */
async function sharedWith(
  named: readonly string[] | undefined,
  folder: string,
  profile: string | undefined,
  globals: Globals,
  questions: Questions | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Profile[]> {
  const others = profilesWithMnemos(dshHomeOf(environment)).filter(({ name }) => name !== profile)
  const unknown = named?.find((name) => !others.some((one) => one.name === name))
  if (unknown !== undefined)
    throw new MnemosError(
      'NOT_FOUND',
      `There is no other profile "${unknown}" that has Mnemos.`,
      others.length === 0
        ? 'There is none at all.'
        : `There is: ${others.map(({ name }) => name).join(', ')}.`,
    )
  if (named !== undefined) return others.filter(({ name }) => named.includes(name))
  const apart = others.filter((one) => !one.configured && resolve(one.folder) !== resolve(folder))
  // A folder that is named for this run only is nobody's to share.
  const isRunOnly = Boolean(environment.MNEMOS_DATA?.trim()) && !globals.data
  if (!questions || apart.length === 0 || isRunOnly) return []
  const picked = await questions.share(folder, apart)
  if (picked === undefined) throw givenUp()
  return apart.filter(({ name }) => picked.includes(name))
}

const givenUp = () => new MnemosError('REFUSED', 'Nothing was changed.')
