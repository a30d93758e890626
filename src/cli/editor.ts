/** The person's editor: which one it is, and running it. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { MnemosError } from '../base/errors.ts'
import type { Environment } from '../files/data-folder.ts'

/** What is likely to be there, the friendliest first. */
const USUAL =
  process.platform === 'win32' ? ['notepad.exe'] : ['sensible-editor', 'editor', 'nano', 'vim', 'vi']

/** @throws MnemosError UNAVAILABLE where there is none, or nobody to use it. */
export function editorOf(environment: Environment, atTerminal: boolean): string {
  const named = environment.VISUAL?.trim() || environment.EDITOR?.trim()
  if (named) return named
  if (!atTerminal) {
    throw new MnemosError(
      'UNAVAILABLE',
      'There is no terminal for an editor to run in, and neither VISUAL nor EDITOR is set.',
      'Set EDITOR to a command that edits the file it is given.',
    )
  }
  const found = USUAL.find((name) => onPath(name, environment))
  if (found !== undefined) return found
  throw new MnemosError('UNAVAILABLE', 'No editor was found.', 'Set EDITOR to one, as in EDITOR=nano.')
}

function onPath(name: string, environment: Environment): boolean {
  return (environment.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      // Not in this folder.
      return false
    }
  })
}

/**
 * Runs the editor on a file and waits until it is closed. Its command may have arguments, as in `code --wait`.
 * @returns what went wrong, in a few words.
 */
export function runEditor(command: string, file: string): Promise<string | undefined> {
  // An editor that is not on the terminal must not write into the command's answer.
  const stdio: ['inherit', 'inherit' | 2, 'inherit'] = [
    'inherit',
    process.stdout.isTTY ? 'inherit' : 2,
    'inherit',
  ]
  const child =
    process.platform === 'win32'
      ? spawn(`${command} "${file}"`, { shell: true, stdio })
      : spawn('sh', ['-c', `${command} "$@"`, command, file], { stdio })
  // Ctrl-C is the editor's while it runs.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  return new Promise((resolve) => {
    const done = (problem: string | undefined) => {
      process.off('SIGINT', ignore)
      resolve(problem)
    }
    child.on('error', (error) => done(`it could not be started: ${error.message}`))
    child.on('close', (code, signal) =>
      done(code === 0 ? undefined : signal ? `it was ended by ${signal}` : `it ended with code ${code}`),
    )
  })
}
