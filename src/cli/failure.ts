/** How a failed command ends: one line or one JSON value, and the exit code. */
import { MnemosError } from '../base/errors.ts'
import { explained } from '../messages/messages.ts'
import { exitCodeOf } from './exit-codes.ts'
import { steady } from './style.ts'

/** Prints what was thrown, on stderr or as JSON on stdout, and leaves the exit code. */
export function fail(thrown: unknown, json: boolean): void {
  const error = explained(thrown)
  const known = error instanceof MnemosError
  const message = known ? error.message : error instanceof Error ? error.message : String(error)
  if (json)
    process.stdout.write(
      `${JSON.stringify({ error: { code: known ? error.code : 'UNEXPECTED', message } })}\n`,
    )
  else process.stderr.write(`mnemos: ${steady(message)}\n`)
  process.exitCode = exitCodeOf(error)
}
