/** The shipped constitution: what stands in the request until the person has one, and where theirs is lost. */
import type { Disk } from '../base/disk.ts'
import { packagePath } from '../base/package.ts'
import { type Constitution, hashed, type Language, split } from './constitution.ts'

/** Why the template stands there: nobody made one yet, or the person's own cannot be had. */
export type Why = 'not initialised' | 'lost'

const NOTES: Record<Why, Record<Language, string>> = {
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
  return source === undefined ? undefined : split(source).text
}

function templateSource(disk: Disk, language: Language): string | undefined {
  try {
    return disk.read(packagePath('constitution', `${language}.md`))?.toString('utf8')
  } catch {
    // A template that cannot be read is as missing as one that is not there, and said so.
    return undefined
  }
}

/** Said reported where {@link templateText} is undefined. */
export const TEMPLATE_MISSING =
  'The shipped constitution is missing from the installed package; install Mnemos again.'

export function templateConstitution(disk: Disk, language: Language, why: Why): Constitution {
  const source = templateSource(disk, language)
  // Only a damaged installation has none: better no constitution than a pretended one.
  if (source === undefined)
    return { initialised: false, version: '0', language, ...hashed(''), note: TEMPLATE_MISSING }
  const { header, text } = split(source)
  return {
    initialised: false,
    version: `template-${header.version ?? '1'}`,
    language,
    ...hashed(text),
    note: NOTES[why][language],
  }
}
