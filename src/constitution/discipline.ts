/** The discipline: when to use which tool. It is in every request, after the constitution, and is not edited by the person. */

import type { Disk } from '../base/disk.ts'
import type { Language } from '../base/language.ts'
import { packagePath } from '../base/package.ts'

/** Characters that it may have in each language. */
export const DISCIPLINE_CHARACTERS = 3_800
/** Characters that it and the shipped constitution may have together: every request pays for them. */
export const HEAD_CHARACTERS = 6_000

/** The discipline in one language. */
export interface Discipline {
  /** Empty where the installation is damaged. */
  text: string
  /** What is reported where it is missing. */
  problem?: string
}

/** Its language: as configured, else that of the constitution, so that a request is in one language. */
export const disciplineLanguage = (configured: 'auto' | Language, constitution: Language): Language =>
  configured === 'auto' ? constitution : configured

/** The discipline by language; each is read once, since it changes with the package alone. Never throws. */
export function disciplines(disk: Disk): (language: Language) => Discipline {
  const known = new Map<Language, Discipline>()
  return (language) => {
    const discipline = known.get(language) ?? readDiscipline(disk, language)
    known.set(language, discipline)
    return discipline
  }
}

function readDiscipline(disk: Disk, language: Language): Discipline {
  const notInstalled = {
    text: '',
    problem: 'The shipped discipline is missing from the installed package; install Mnemos again.',
  }
  try {
    const text = disk
      .read(packagePath('discipline', `${language}.md`))
      ?.toString('utf8')
      .trim()
    return text ? { text } : notInstalled
  } catch {
    // Whatever keeps a shipped file from being read, the remedy is the same.
    return notInstalled
  }
}
