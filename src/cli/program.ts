/** The commands of `mnemos` and their options. What a command answers comes from src/answers/. */
import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { MnemosError } from '../base/errors.ts'
import { packagePath } from '../base/package.ts'
import { SOURCES } from '../record/record.ts'
import { INCLUDES, type Include } from '../search/recall/leave-outs.ts'
import { TYPES } from '../user-memory/entry.ts'
import { acceptCommand, candidatesCommand, dismissCommand } from './candidates.ts'
import { constitutionShowCommand, constitutionUpdateCommand } from './constitution.ts'
import { deleteCommand } from './delete.ts'
import { deprecateCommand } from './deprecate.ts'
import { doctorCommand } from './doctor.ts'
import { editCommand } from './edit.ts'
import { EXIT } from './exit-codes.ts'
import { exportCommand } from './export.ts'
import { fail } from './failure.ts'
import { initCommand } from './init.ts'
import { ACTS, ledgerCommand } from './ledger.ts'
import { rebuildIndexCommand } from './rebuild-index.ts'
import { recentCommand } from './recent.ts'
import { searchCommand } from './search.ts'
import { type Globals, openSession, type Session } from './session.ts'
import { showCommand } from './show.ts'
import { statusCommand } from './status.ts'
import { addEntryCommand, listEntriesCommand, showEntryCommand } from './user-memory.ts'

const NEEDED_NODE = [22, 19] as const

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1])) return
  throw new MnemosError(
    'UNAVAILABLE',
    `mnemos needs Node ${NEEDED_NODE.join('.')} or newer and this is ${process.versions.node}.`,
    `Run it with a newer one: npx -y -p node@24 node ${process.argv[1] ?? 'mnemos'}`,
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

const repeated = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

function included(value: string, before: Include[]): Include[] {
  const known = INCLUDES.find((one) => one === value)
  if (!known) throw new InvalidArgumentError(`It takes ${INCLUDES.join(', ')}.`)
  return [...before, known]
}

const ownVersion = (): string => String(JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version)

/** @param writeErr is given what Commander says of a wrong call. */
export function commands(writeErr: (text: string) => void): Command {
  const program = new Command('mnemos')
    .description("Show, search and change an assistant's memory.")
    .option('--profile <name>', 'the DSH profile whose memory is meant')
    .option('--data <folder>', 'the data folder itself')
    .option('--json', 'print JSON for scripts')
    .version(ownVersion(), '-V, --version')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeErr })
    .exitOverride()
    .addHelpText(
      'after',
      `\nExit codes: ${Object.entries(EXIT)
        .map(([name, code]) => `${code} ${name}`)
        .join(', ')}.`,
    )
  program
    .command('init')
    .description('make the constitution your own, and let profiles share one memory')
    .option('--language <language>', 'of the template: zh or en (MNEMOS_LANGUAGE)')
    .option('--from <file>', 'approve a text of your own')
    .option(
      '--share <profile>',
      'lets that profile use this folder too; may be given several times',
      repeated,
    )
    .option('--replace', 'the passphrase is forgotten: start again with a new key')
    .option('--yes', 'do not ask; the passphrase comes from MNEMOS_PASSPHRASE')
    .action(unopened(program, initCommand))
  const constitution = program.command('constitution').description('read and change the constitution')
  constitution
    .command('show')
    .description('the text that stands in the request, and whether it is as you approved it')
    .action(unopened(program, constitutionShowCommand))
  constitution
    .command('update <file>')
    .description('show what a new text changes; with --apply and your passphrase, approve it')
    .option('--apply', 'approve it')
    .action(unopened(program, constitutionUpdateCommand))
  program
    .command('status')
    .description('where the memory lies, what it holds and what is wrong')
    .action(on(program, statusCommand))
  program
    .command('show <id>')
    .description('one record whole, as its file stands')
    .action(on(program, showCommand))
  program
    .command('search [words...]')
    .description('find records and see why each one matched')
    .option('--limit <n>', 'hits at most')
    .option('--kind <kind>', 'note, decision, …')
    .option('--tag <tag>', 'may be given several times: all of them', repeated)
    .addOption(new Option('--source <source>', 'where the words come from').choices(SOURCES))
    .option('--since <date>', 'created then or later; a day is one of your time zone')
    .option('--until <date>', 'created then or earlier')
    .option('--session <id>', 'written in that session')
    .addOption(
      new Option(
        '--include <what>',
        `what is left out by default: ${INCLUDES.join(', ')}; may be given several times`,
      )
        .argParser(included)
        .default([], 'none'),
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
    .command('candidates')
    .description('what waits for your decision, and why')
    .action(on(program, candidatesCommand))
  program
    .command('accept <id>')
    .description('accept a candidate, an unconfirmed or an external record, in your name')
    .action(on(program, acceptCommand))
  program
    .command('dismiss <id>')
    .description('dismiss a candidate or an unconfirmed record; it stays readable')
    .option('--why <text>', 'why')
    .action(on(program, dismissCommand))
  const userMemory = program.command('user-memory').description('facts that every session sees')
  userMemory.command('list').description('every entry, one line each').action(on(program, listEntriesCommand))
  userMemory
    .command('show <name>')
    .description('one entry with its details')
    .action(on(program, showEntryCommand))
  userMemory
    .command('add <name>')
    .description('save a fact or a standing wish; the name has lower-case letters, digits and hyphens')
    .requiredOption('--summary <text>', 'the fact itself in one line')
    .addOption(new Option('--type <type>', 'what it is about').choices(TYPES).default('user'))
    .option('--details <text>', 'what one line is not enough for')
    .option('--overwrite', 'replace an entry of that name')
    .action(on(program, addEntryCommand))
  program
    .command('ledger')
    .description('who did what to which record and when, newest first')
    .option('--id <id>', 'of one record')
    .option('--since <date>', 'then or later; a day is one of your time zone')
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
    .description('report what is wrong with the data folder, and what to do')
    .option('--fix', 'repair what can be repaired without loss')
    .option('--forget-absent', 'files that vanished together will not come back: forget them')
    .action(unopened(program, doctorCommand))
  return program
}
