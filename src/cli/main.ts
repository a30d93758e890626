#!/usr/bin/env node
/** The person's own way in: `mnemos`. */
import { Command, CommanderError, Option } from 'commander'
import { MnemosError } from '../base/errors.ts'
import { deleteCommand } from './delete.ts'
import { deprecateCommand } from './deprecate.ts'
import { doctorCommand } from './doctor.ts'
import { editCommand } from './edit.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { exportCommand } from './export.ts'
import { ACTS, ledgerCommand } from './ledger.ts'
import { rebuildIndexCommand } from './rebuild-index.ts'
import { recentCommand } from './recent.ts'
import { searchCommand } from './search.ts'
import { type Globals, openSession, type Session } from './session.ts'
import { showCommand } from './show.ts'
import { statusCommand } from './status.ts'

const NEEDED_NODE = [22, 19] as const

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1])) return
  throw new MnemosError(
    'UNAVAILABLE',
    `mnemos needs Node ${NEEDED_NODE.join('.')} or newer and this is ${process.versions.node}.`,
    'Run it with: npx -y -p node@24 -p dsh-mnemos-continuity mnemos',
  )
}

/** Runs a command on the store of the chosen profile, closes it, and leaves the exit code. */
function on<A extends unknown[]>(program: Command, run: (session: Session, ...args: A) => Promise<void>) {
  return unopened(program, async (globals, ...args: A) => {
    const session = await openSession(globals)
    try {
      await run(session, ...args)
    } finally {
      session.store.close()
    }
  })
}

/** Runs a command that looks at the folder before any store is opened. */
function unopened<A extends unknown[]>(
  program: Command,
  run: (globals: Globals, ...args: A) => Promise<void>,
) {
  return async (...args: A): Promise<void> => {
    const globals = program.opts<Globals>()
    try {
      checkNode()
      await run(globals, ...args)
    } catch (error) {
      fail(error, globals.json === true)
    }
  }
}

function fail(error: unknown, json: boolean): void {
  const known = error instanceof MnemosError
  const message = known ? error.message : error instanceof Error ? error.message : String(error)
  if (json)
    process.stdout.write(
      `${JSON.stringify({ error: { code: known ? error.code : 'UNEXPECTED', message } })}\n`,
    )
  else process.stderr.write(`mnemos: ${message}\n`)
  process.exitCode = exitCodeOf(error)
}

function build(): Command {
  const program = new Command('mnemos')
    .description("Look into, search and change an assistant's memory.")
    .option('--profile <name>', 'the DSH profile whose memory is meant')
    .option('--data <folder>', 'the data folder itself')
    .option('--json', 'print JSON for scripts')
    .showHelpAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      `\nExit codes: ${Object.entries(EXIT)
        .map(([name, code]) => `${code} ${name}`)
        .join(', ')}.`,
    )
  program
    .command('status')
    .description('where the memory lies, what it holds and what is wrong')
    .action(on(program, statusCommand))
  program
    .command('show <id>')
    .description('one record whole, as its file stands')
    .action(on(program, showCommand))
  program
    .command('search <words...>')
    .description('find records and see why each one matched')
    .option('--limit <n>', 'hits at most')
    .option('--kind <kind>')
    .option('--tag <tag...>', 'all of them')
    .option('--source <source>')
    .option('--since <date>', 'created then or later')
    .option('--until <date>', 'created then or earlier')
    .option('--session <id>')
    .addOption(
      new Option('--include <what...>', 'what is left out by default').choices([
        'deprecated',
        'archived',
        'candidate',
        'verdict',
        'giant',
      ]),
    )
    .action(on(program, searchCommand))
  program
    .command('recent')
    .description('the newest records')
    .option('--limit <n>', 'records at most (20)')
    .option('--all', 'also those that are deprecated, archived or candidates')
    .action(on(program, recentCommand))
  program
    .command('edit <id>')
    .description('open a record in your editor (VISUAL, EDITOR) and store what you leave')
    .action(on(program, editCommand))
  program
    .command('deprecate <id>')
    .description('mark a record as no longer held; it stays readable')
    .requiredOption('--why <text>', 'why it no longer holds')
    .option('--by <id>', 'the record that holds instead')
    .action(on(program, deprecateCommand))
  program
    .command('delete <id>')
    .description('delete a record for good, wherever its text lies')
    .option('--yes', 'do not ask')
    .action(on(program, deleteCommand))
  program
    .command('ledger')
    .description('who did what to which record and when, newest first')
    .option('--id <id>', 'of one record')
    .option('--since <date>', 'then or later')
    .option('--until <date>', 'then or earlier')
    .addOption(new Option('--act <act>', 'of one kind').choices(ACTS))
    .option('--limit <n>', 'lines at most (50)')
    .action(on(program, ledgerCommand))
  program
    .command('export [file]')
    .description('every record as JSON lines, to stdout or into a file')
    .action(on(program, exportCommand))
  program
    .command('rebuild-index')
    .description('drop the search index and fill it from the files')
    .action(on(program, rebuildIndexCommand))
  program
    .command('doctor')
    .description('name what is wrong with the data folder, and what to do')
    .option('--fix', 'mend what can be mended without loss')
    .option('--forget-absent', 'files that vanished together will not come back: forget them')
    .action(unopened(program, doctorCommand))
  return program
}

// Whoever reads the answer may stop early, as head does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.ok)
})

try {
  await build().parseAsync()
} catch (error) {
  // Commander has printed its own message; --help and --version arrive here as well, with code 0.
  process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : EXIT.usage) : EXIT.failed
  if (!(error instanceof CommanderError)) fail(error, false)
}
