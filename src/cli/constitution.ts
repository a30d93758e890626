/** `mnemos constitution show` and `mnemos constitution update <file>`. */

import {
  answerConstitution,
  approveProposal,
  type ConstitutionAnswer,
  proposeConstitution,
} from '../answers/constitution.ts'
import { draftFile } from '../answers/draft-file.ts'
import { chosenMemory } from '../memory/choose.ts'
import { colouredDiff } from './colour-diff.ts'
import { knownPassphrase, terminal } from './passphrase.ts'
import { refuseInsideHost } from './person-only.ts'
import { beside, type Globals, printer } from './session.ts'
import { yellow } from './style.ts'

export async function constitutionShowCommand(globals: Globals): Promise<void> {
  const { printText, json } = printer(globals)
  const { home, language } = chosenMemory(globals).memory
  const { value, version, stands } = answerConstitution(home, language)
  printText(value, value.text)
  if (json) return
  beside([
    ...(process.stdout.isTTY ? [''] : []),
    `Version    ${version}  ${value.language}, SHA-256 ${value.hash}`,
    `Signature  ${signatureOf(value)}`,
    ...value.findings.flatMap(({ sentence, remedy }) => [sentence, `  ${remedy}`]),
    ...(stands === '' ? [] : [stands]),
  ])
}

function signatureOf({ approvedAt, key, state, findings }: ConstitutionAnswer): string {
  if (approvedAt === null)
    return state === 'lost'
      ? 'the text that was approved cannot be verified; this is the shipped template'
      : 'none: this is the shipped template (make it yours with: mnemos init)'
  const worth = findings.length === 0 ? 'good' : 'good for this text; see below'
  return `${worth}, approved ${approvedAt}, key ${key}`
}

export async function constitutionUpdateCommand(
  globals: Globals,
  file: string,
  { apply = false }: { apply?: boolean },
): Promise<void> {
  refuseInsideHost('constitution update')
  const { print, json } = printer(globals)
  const { home } = chosenMemory(globals).memory
  const proposal = proposeConstitution(home, draftFile(home.disk, file))
  const { change, isSameText } = proposal
  const lines = [
    ...colouredDiff(change.diff),
    ...(isSameText ? ['The text stays as it is and is approved again.'] : []),
    ...change.warnings.map(yellow),
  ]
  if (!apply) {
    print({ applied: false, ...change }, [
      ...lines,
      '',
      'Nothing was changed. To approve it, give your passphrase: run it again with --apply.',
    ])
    return
  }
  // What is approved is seen before the passphrase is asked for.
  if (!json) print(undefined, lines)
  const passphrase = await knownPassphrase(terminal(json), process.env)
  const approval = await approveProposal(home, proposal, passphrase)
  print(approval, [
    `Version ${approval.version} is approved. Running hosts take it at their next turn.`,
    ...approval.warnings.slice(change.warnings.length).map(yellow),
  ])
}
