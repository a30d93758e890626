/** What `mnemos init` asks at a terminal. */

import { isCancel, multiselect, note, select } from '@clack/prompts'
import type { Profile } from '../answers/profiles.ts'
import type { Language } from '../base/language.ts'
import { holdingsText } from './holdings.ts'
import { type AskPassphrase, atTerminal } from './passphrase.ts'
import { bold, printable, wrapped } from './style.ts'

/** What is asked at a terminal; each answer is undefined where the person gave up. */
export interface Questions {
  profile(profiles: readonly Profile[]): Promise<string | undefined>
  share(folder: string, others: readonly Profile[]): Promise<string[] | undefined>
  language(proposed: Language): Promise<Language | undefined>
  /** Whether the unsigned text that lies in the folder is the one that is meant. */
  takeWaiting(file: string): Promise<boolean | undefined>
  passphrase: AskPassphrase
  tell(title: string, lines: readonly string[]): void
  /** Shows a text whole, before the person says yes to it. */
  show(title: string, text: string): void
}

export const terminalQuestions: Questions = {
  profile: (profiles) =>
    answered(
      select({
        message: 'Which profile is this for?',
        options: profiles.map(({ name, folder, files }) => ({
          value: name,
          label: name,
          hint: `${files === 1 ? 'one record file' : `${files} record files`}, ${folder}`,
        })),
      }),
    ),
  share: (folder, others) =>
    answered(
      multiselect({
        message: `Which other profiles should use the same memory (${folder})?`,
        options: others.map((one) => ({
          value: one.name,
          label: one.name,
          hint: holdingsText(one) === '' ? 'holds nothing yet' : `stays where it is: ${holdingsText(one)}`,
        })),
        required: false,
      }),
    ),
  language: (proposed) =>
    answered(
      select<Language>({
        message: 'Language of the constitution / 宪法的语言',
        initialValue: proposed,
        options: [
          { value: 'en', label: 'English' },
          { value: 'zh', label: '简体中文' },
        ],
      }),
    ),
  takeWaiting: (file) =>
    answered(
      select<boolean>({
        message: `A text that is not approved lies at ${file}. Which one is to be approved?`,
        options: [
          { value: true, label: 'that text' },
          { value: false, label: 'the template of Mnemos', hint: 'that text is kept under another name' },
        ],
      }),
    ),
  passphrase: atTerminal,
  // In no frame, which a long line would break.
  show: (title, text) => {
    process.stdout.write(`\n${bold(title)}\n\n${printable(text)}\n\n`)
  },
  tell: (title, lines) => note(wrapped(lines).join('\n'), title),
}

/** What was chosen; undefined where the person gave up. */
async function answered<T>(prompt: Promise<T>): Promise<Exclude<T, symbol> | undefined> {
  const value = await prompt
  return isCancel(value) ? undefined : (value as Exclude<T, symbol>)
}
