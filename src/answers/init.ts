/** A constitution of the person's own, and a folder that several profiles share: what is to be done, and what was. */

import { join } from 'node:path'
import { MnemosError } from '../base/errors.ts'
import { LANGUAGES, type Language } from '../base/language.ts'
import { isUnconfirmed } from '../constitution/approve.ts'
import { lengthWarning } from '../constitution/constitution.ts'
import type { Home } from '../constitution/constitution-files.ts'
import type { NewText } from '../constitution/draft.ts'
import { fingerprint } from '../constitution/signing.ts'
import { type ConstitutionStanding, standing } from '../constitution/standing.ts'
import { TEMPLATE_MISSING, templateText } from '../constitution/template.ts'
import { MODEL_WORK, type ModelWork } from './model-work.ts'
import { type Holdings, holdsNothing, isProfile, type Profile } from './profiles.ts'

/**
 * What is to be done about the constitution: an approval of this folder is confirmed for this machine, what is there
 * stays as it is, or a text is approved.
 */
export type InitStep = 'confirm' | 'keep' | 'approve'

/**
 * @param options `replace`: the passphrase is forgotten, and a new key begins. `sharing`: profiles are to share the
 * folder, so that there is something to do besides.
 * @throws MnemosError REFUSED where there is a constitution already and nothing else is to be done.
 */
export function initStep(
  now: ConstitutionStanding,
  { replace, sharing }: { replace: boolean; sharing: boolean },
): InitStep {
  if (replace) return 'approve'
  if (isUnconfirmed(now)) return 'confirm'
  if (sharing && now.approved) return 'keep'
  if (now.state !== 'approved' && now.state !== 'lost') return 'approve'
  throw new MnemosError(
    'REFUSED',
    now.approved
      ? `This folder has a constitution already (version ${now.approved.version}); nothing was changed.`
      : 'A constitution was approved for this folder and cannot be verified now; nothing was changed.',
    'Change it with: mnemos constitution update <file>. Where the passphrase is forgotten, or all is lost: mnemos init --replace',
  )
}

/** @throws MnemosError INVALID_INPUT where there is no template in that language. */
export function languageNamed(name: string | undefined): Language | undefined {
  if (name === undefined) return undefined
  const known = LANGUAGES.find((one) => one === name)
  if (!known)
    throw new MnemosError('INVALID_INPUT', `"${name}" is no language of the templates.`, 'Take zh or en.')
  return known
}

/** @throws MnemosError UNAVAILABLE where the template is missing. */
export function templateIn({ disk }: Home, language: Language): NewText {
  const text = templateText(disk, language)
  if (text === undefined) throw new MnemosError('UNAVAILABLE', TEMPLATE_MISSING, 'Install the package again.')
  return { text, language }
}

/** What was done about the constitution. */
export interface InitDone {
  did: 'approved' | 'replaced' | 'confirmed' | 'nothing'
  warning?: string | undefined
}

export interface InitAnswer extends Pick<InitDone, 'did'> {
  /** The data folder, absolute. */
  data: string
  /** The profiles that were named. */
  profiles: string[]
  shared: boolean
  /** Of the approved text; null where there is none, as its language and key. */
  version: number | null
  language: Language | null
  key: string | null
  /** Where the text file lies, absolute. */
  file: string
  /** What profiles that use the folder now have left in another one. */
  recordsLeft: ({ profile: string; folder: string } & Holdings)[]
  /** Background work that calls a model. */
  modelWork: readonly ModelWork[]
  warnings: string[]
}

/** What holds after `mnemos init`. @param options `named`: the profile that was asked for by its name. */
export function answerInit(
  home: Home,
  { did, warning }: InitDone,
  options: { names: string[]; shared: readonly Profile[]; named: string | undefined },
): InitAnswer {
  const { names, shared, named } = options
  const { approved } = standing(home, 'en')
  const folder = home.layout.root
  const long = approved && did !== 'nothing' ? lengthWarning(approved.text) : undefined
  const unknown =
    named !== undefined && !isProfile(home.dshHome, named)
      ? `No such profile yet: "${named}" is not in ${join(home.dshHome, 'profiles')}. Its memory waits here until there is one.`
      : undefined
  return {
    data: folder,
    profiles: names,
    shared: shared.length > 0,
    did,
    version: approved?.version ?? null,
    language: approved?.language ?? null,
    key: approved ? fingerprint(approved.key) : null,
    file: home.layout.constitution,
    recordsLeft: shared
      .filter((one) => one.folder !== folder && !holdsNothing(one))
      .map(({ name, folder: at, files, userMemory, constitution }) => ({
        profile: name,
        folder: at,
        files,
        userMemory,
        constitution,
      })),
    modelWork: MODEL_WORK,
    warnings: [unknown, long, warning].filter((one) => one !== undefined),
  }
}
