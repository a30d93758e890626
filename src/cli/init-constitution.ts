/** The part of `mnemos init` that makes the constitution the person's own: what is shown and asked, in turn. */

import { draftFile } from '../answers/draft-file.ts'
import { type InitDone, initStep, languageNamed, templateIn } from '../answers/init.ts'
import { MnemosError } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import { checkPlaces } from '../constitution/approval-files.ts'
import { confirm, initialise } from '../constitution/approve.ts'
import type { Home } from '../constitution/constitution-files.ts'
import type { NewText } from '../constitution/draft.ts'
import type { Cost } from '../constitution/seal.ts'
import { type ConstitutionStanding, standing } from '../constitution/standing.ts'
import type { Environment } from '../files/data-folder.ts'
import type { Questions } from './init-questions.ts'
import { modelWorkLines, PRIVACY } from './model-work.ts'
import { givenUp, knownPassphrase, newPassphrase } from './passphrase.ts'

export interface ConstitutionOptions {
  /** Of the template. */
  language?: string
  /** A file with a text of the person's own. */
  from?: string
  replace?: boolean
}

export interface InitScene {
  home: Home
  /** Of the template, where none is named. */
  language: Language
  /** Undefined where nobody is there to ask. */
  questions: Questions | undefined
  environment: Environment
  /** What guessing the passphrase costs. */
  cost: Cost
}

/**
 * @param sharing profiles are to share the folder, so that there is something to do besides.
 * @throws MnemosError where nothing was changed.
 */
export async function initConstitution(
  scene: InitScene,
  options: ConstitutionOptions,
  sharing: boolean,
): Promise<InitDone> {
  const { home, language, questions, environment, cost } = scene
  const { replace = false } = options
  const now = standing(home, language)
  // Decided before anything is asked: no passphrase is asked for in vain.
  const step = initStep(now, { replace, sharing })
  if (step === 'keep') return { did: 'nothing' }
  if (step === 'confirm') {
    if (now.approved) questions?.show('The text that is about to be confirmed', now.approved.text)
    const known = await knownPassphrase(questions?.passphrase, environment)
    return { did: 'confirmed', warning: (await confirm(home, known)).warning }
  }
  // What is certain to be refused is refused before anything is told or asked.
  languageNamed(options.language)
  if (options.from !== undefined) draftFile(home.disk, options.from)
  checkPlaces(home)
  questions?.tell('Before you begin', [...modelWorkLines(), '', ...PRIVACY])
  const text = await textToApprove(scene, now, options)
  questions?.show(`The text that is about to be approved (${text.language})`, text.text)
  const passphrase = await newPassphrase(questions?.passphrase, environment)
  const { warning } = await initialise(home, text, passphrase, { replace, cost })
  const isFirst = now.state === 'template' || now.state === 'waiting'
  return { did: isFirst ? 'approved' : 'replaced', warning }
}

/** The text that is to be approved. */
async function textToApprove(
  { home, language, questions, environment }: InitScene,
  now: ConstitutionStanding,
  options: ConstitutionOptions,
): Promise<NewText> {
  const wanted = languageNamed(options.language)
  const own = (file: string): NewText => {
    const draft = draftFile(home.disk, file)
    return wanted === undefined ? draft : { ...draft, language: wanted }
  }
  if (options.from !== undefined) return own(options.from)
  // A forgotten passphrase is no reason to lose the text.
  if (now.approved && wanted === undefined) return now.approved
  if (now.state === 'waiting') {
    const { constitution: file } = home.layout
    if (await takesWaiting(file, questions)) return own(file)
  }
  const preset = wanted ?? languageNamed(environment.MNEMOS_LANGUAGE?.trim() || undefined)
  const asked = preset ?? (await questions?.language(language))
  if (asked === undefined && questions) throw givenUp()
  return templateIn(home, asked ?? language)
}

/** Whether the text that lies there is meant: whoever put it there, only the person can make it theirs. */
async function takesWaiting(file: string, questions: Questions | undefined): Promise<boolean> {
  if (!questions)
    throw new MnemosError(
      'REFUSED',
      `A text that is not approved lies at ${file}; nothing was changed.`,
      `Name it to approve it (mnemos init --from ${file}), or move it away.`,
    )
  const take = await questions.takeWaiting(file)
  if (take === undefined) throw givenUp()
  return take
}
