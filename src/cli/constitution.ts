/** `mnemos constitution show` and `mnemos constitution update <file>`. */
import { alreadyApproved, isCurrent, update, usableKey } from '../constitution/approve.ts'
import { languageOf, lengthWarning } from '../constitution/constitution.ts'
import { fingerprint } from '../constitution/signing.ts'
import { type ConstitutionStanding, standing } from '../constitution/standing.ts'
import { diffLines } from './diff.ts'
import { draftFile } from './draft-file.ts'
import { homeOf } from './home.ts'
import { knownPassphrase, terminal } from './passphrase.ts'
import { refuseInsideHost } from './person-only.ts'
import { answer, aside, chooseFolder, type Globals } from './session.ts'
import { yellow } from './style.ts'

export async function constitutionShowCommand(globals: Globals): Promise<void> {
  const { printText, json } = answer(globals)
  const { folder } = chooseFolder(globals, process.env)
  const now = standing(homeOf(folder), languageOf('auto', process.env))
  const { state, constitution, approved, findings } = now
  const { version, language, hash, text } = constitution
  const value = {
    state,
    /** Of the approved text; the template's own is no approval. */
    version: approved?.version ?? null,
    language,
    hash,
    approvedAt: approved?.at ?? null,
    key: approved ? fingerprint(approved.key) : null,
    file: now.layout.constitution,
    findings: findings.map(({ code, sentence, remedy }) => ({ code, sentence, remedy })),
    text,
  }
  printText(value, text)
  if (json) return
  aside([
    ...(process.stdout.isTTY ? [''] : []),
    `Version    ${version}  ${language}, SHA-256 ${hash}`,
    `Signature  ${signatureOf(now)}`,
    ...findings.flatMap(({ sentence, remedy }) => [sentence, `  ${remedy}`]),
    ...(now.stands === '' ? [] : [now.stands]),
  ])
}

function signatureOf({ approved, state, findings }: ConstitutionStanding): string {
  if (!approved)
    return state === 'lost'
      ? 'the text that was approved cannot be verified; this is the shipped template'
      : 'none: this is the shipped template (make it yours with: mnemos init)'
  const whole = findings.length === 0 ? 'good' : 'good for this text; see below'
  return `${whole}, approved ${approved.at}, key ${fingerprint(approved.key)}`
}

export async function constitutionUpdateCommand(
  globals: Globals,
  file: string,
  { apply = false }: { apply?: boolean },
): Promise<void> {
  refuseInsideHost('constitution update')
  const { print, json } = answer(globals)
  const { folder } = chooseFolder(globals, process.env)
  const home = homeOf(folder)
  const next = draftFile(file)
  const now = standing(home, next.language)
  usableKey(now)
  if (isCurrent(now, next)) throw alreadyApproved(now)
  const diff = diffLines(now.approved?.text ?? '', next.text)
  const warning = lengthWarning(next.text)
  const shown = [
    ...diff,
    ...(now.approved?.text === next.text ? ['The text stays as it is and is approved again.'] : []),
    ...(warning === undefined ? [] : [yellow(warning)]),
  ]
  const value = {
    before: now.approved?.version ?? null,
    language: next.language,
    diff,
    warnings: warning === undefined ? [] : [warning],
  }
  if (!apply) {
    print({ applied: false, ...value }, [
      ...shown,
      '',
      'Nothing was changed. To approve it, give your passphrase: run it again with --apply.',
    ])
    return
  }
  // What is approved is seen before the passphrase is asked for.
  if (!json) print(undefined, shown)
  const passphrase = await knownPassphrase(terminal(json), process.env)
  const { version, warning: unwritten } = await update(home, next, passphrase, now.approved?.version)
  if (unwritten !== undefined) value.warnings.push(unwritten)
  print({ applied: true, version, ...value }, [
    `Version ${version} is approved. Running hosts take it at their next turn.`,
    ...(unwritten === undefined ? [] : [yellow(unwritten)]),
  ])
}
