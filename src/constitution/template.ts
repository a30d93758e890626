/** The shipped constitution: it is in the request until the person has one of their own, and where that is lost. */

import type { Disk } from '../base/disk.ts'
import type { Language } from '../base/language.ts'
import { packagePath } from '../base/package.ts'
import { type Constitution, hashed } from './constitution.ts'
import { splitHeader } from './text-header.ts'

/** Why the template is used: there is no other yet, or the person's own cannot be verified. */
export type TemplateReason = 'not initialised' | 'lost'

const NOTES: Record<TemplateReason, Record<Language, string>> = {
  'not initialised': {
    en: 'Not initialised: this is the template that Mnemos ships. The person makes it their own with: mnemos init',
    zh: '尚未初始化：这是 Mnemos 附带的模板。用户运行 mnemos init，即可使它成为用户自己的宪法。',
  },
  lost: {
    en: 'Degraded: the person’s own constitution is missing or cannot be verified; this is the template that Mnemos ships, standing in until it is put right.',
    zh: '降级：用户自己的宪法缺失或无法验证；在恢复之前，由 Mnemos 附带的模板暂代。',
  },
}

/** The template's text without its header; undefined where the installation is damaged. */
export function templateText(disk: Disk, language: Language): string | undefined {
  const source = templateSource(disk, language)
  return source === undefined ? undefined : splitHeader(source).text
}

function templateSource(disk: Disk, language: Language): string | undefined {
  try {
    return disk.read(packagePath('constitution', `${language}.md`))?.toString('utf8')
  } catch {
    // A template that cannot be read counts as missing, and is reported.
    return undefined
  }
}

/** What is reported where {@link templateText} is undefined. */
export const TEMPLATE_MISSING =
  'The shipped constitution is missing from the installed package; install Mnemos again.'

/** The template as a constitution; empty, with a note, where the installation is damaged. */
export function templateConstitution(disk: Disk, language: Language, why: TemplateReason): Constitution {
  const source = templateSource(disk, language)
  // Only a damaged installation has none.
  if (source === undefined)
    return { initialised: false, version: '0', language, ...hashed(''), note: TEMPLATE_MISSING }
  const { header, text } = splitHeader(source)
  return {
    initialised: false,
    version: `template-${header.version ?? '1'}`,
    language,
    ...hashed(text),
    note: NOTES[why][language],
  }
}
