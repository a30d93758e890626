/** What is said of a call that no command takes. */
import type { Command } from 'commander'
import { oneLine } from '../base/text.ts'

/** A message of Commander on one line. */
export const saidOf = (message: string): string => oneLine(message).replace(/^error: /, '')

/** A message of Commander, as a sentence. */
export const asSentence = (said: string): string =>
  `${said.slice(0, 1).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`

/**
 * What to do about a wrong call. A name that begins with "-" is taken for an option.
 * @param said by Commander.
 * @param words of the call.
 */
export function usageRemedy(program: Command, said: string, words: readonly string[]): string {
  const option = /unknown option '(-[^-'][^']*)'/.exec(said)?.[1]
  const path = pathOf(program, words)
  if (option === undefined || path === undefined) return 'See mnemos --help.'
  return `See mnemos --help; where it is a name: mnemos ${path} -- ${option}`
}

/** The names of the command that was called, where it takes names; undefined where it does not. */
function pathOf(program: Command, words: readonly string[]): string | undefined {
  const names: string[] = []
  let command = program
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (!next) continue
    names.push(word)
    command = next
  }
  return names.length > 0 && command.registeredArguments.length > 0 ? names.join(' ') : undefined
}
