#!/usr/bin/env node
/** The command line of the person: `mnemos`. */
import { CommanderError } from 'commander'
import { MnemosError } from '../base/errors.ts'
import { EXIT } from './exit-codes.ts'
import { fail } from './failure.ts'
import { commands } from './program.ts'
import { asSentence, saidOf, usageRemedy } from './usage.ts'

/** What Commander says of a wrong call, kept until it is known whether it is printed as text or as JSON. */
let usage = ''

const program = commands((text) => {
  usage += text
})

// Whoever reads the answer may stop early, as head does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`mnemos: The answer could not be written (${error.code ?? error.message}).\n`)
  process.exit(EXIT.failed)
})

try {
  await program.parseAsync()
} catch (error) {
  const json = process.argv.includes('--json')
  if (!(error instanceof CommanderError)) fail(error, json)
  // --help and --version arrive here as well, with code 0.
  else if (error.exitCode !== 0) {
    // No command was named: the help page is the answer.
    const isHelp = error.code === 'commander.help'
    if (isHelp && !json) {
      process.stderr.write(usage)
      process.exitCode = EXIT.usage
    } else {
      const said = isHelp ? 'No command was named' : saidOf(usage || error.message)
      fail(
        new MnemosError('INVALID_INPUT', asSentence(said), usageRemedy(program, said, process.argv.slice(2))),
        json,
      )
    }
  }
}
