/**
 * Some commands are the person's alone: what they write is written in the person's name.
 * The host marks the environment of its shell; that is a fence, not a wall.
 */
import { MnemosError } from '../base/errors.ts'

export function refuseInsideHost(command: string, environment: NodeJS.ProcessEnv = process.env): void {
  if (!environment.DSH_SHELL) return
  throw new MnemosError(
    'REFUSED',
    `mnemos ${command} is the person's to run, not a tool's.`,
    'Run it in a terminal of your own.',
  )
}
