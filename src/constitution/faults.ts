/** The findings about a constitution's files: what is wrong, and what to do about it. */
import { localDay } from '../base/clock.ts'
import { type ReadyFinding as Finding, readyFinding as finding } from '../doctor/finding.ts'
import { type ApprovedText, isGenuine } from './approved-text.ts'
import { isLineOf } from './audit.ts'
import { type Constitution, lengthWarning } from './constitution.ts'
import type { ConstitutionFiles, ConstitutionState } from './constitution-files.ts'
import { approvedInPin } from './pin.ts'
import { fingerprint } from './signing.ts'
import { TEMPLATE_MISSING } from './template.ts'
import { renderTextFile } from './text-file.ts'

/** How long it is reported that a constitution was found or got a new key; milliseconds. */
export const NEW_MS = 24 * 60 * 60 * 1000

const TEXT_FILE = { paths: ['constitution/constitution.md'] }
const AUDIT_FILE = { paths: ['constitution/audit.jsonl'] }
const KEY_FILE = { paths: ['constitution/key.json'] }

const RESTORE =
  'Put the approved text back with: mnemos doctor --fix (what lies there is kept under another name). To approve what lies there: mnemos constitution update <file> --apply'
const RENEW =
  'Restore it from a backup, or begin a new audit by approving the text again: mnemos constitution update <file> --apply'

/** The findings where no text can be verified, by state. */
export const WITHOUT_TEXT: Record<
  Exclude<ConstitutionState, 'approved'>,
  (files: ConstitutionFiles, template: Constitution) => Finding[]
> = {
  template: (_, { text }) =>
    text === '' ? [finding('CONSTITUTION_LOST', TEMPLATE_MISSING, 'Install the package again.')] : [],
  waiting: (files) => {
    const { file, layout } = files
    const unreadable = unreadableIn(files)
    if (unreadable !== undefined)
      return [
        finding(
          'CONSTITUTION_WAITING',
          `What lies in constitution/ is no constitution and cannot be read (${unreadable}).`,
          'Move it away, then make a constitution with: mnemos init',
          { paths: ['constitution'] },
        ),
      ]
    return [
      finding(
        'CONSTITUTION_WAITING',
        file.kind === 'bad'
          ? `constitution.md is not approved and cannot be read (${file.reason}).`
          : `constitution.md is not approved: it waits for mnemos init.`,
        file.kind === 'bad'
          ? 'Move it away, then make a constitution with: mnemos init'
          : `Approve it with: mnemos init --from ${layout.constitution}`,
        TEXT_FILE,
      ),
    ]
  },
  lost: ({ pin, key, audit }) => {
    if (pin && key && key.publicKey !== pin.publicKey && key.publicKey !== pin.successor)
      return [otherKey(pin.publicKey, key.publicKey)]
    const why = audit.fault === undefined ? '' : ` (audit.jsonl: ${audit.fault})`
    return [
      finding(
        'CONSTITUTION_LOST',
        `The constitution that was approved for this folder is gone or cannot be verified${why}.`,
        'Restore the folder constitution/ from a backup, or start anew with: mnemos init --replace',
        { paths: [...TEXT_FILE.paths, ...AUDIT_FILE.paths] },
      ),
    ]
  },
}

/** Why the audit cannot be read, and which other files cannot; undefined where the audit can. */
export function unreadableIn({ file, audit, keyFault }: ConstitutionFiles): string | undefined {
  if (!audit.unreadable) return undefined
  return [
    ...(file.kind === 'bad' ? [`constitution.md: ${file.reason}`] : []),
    `audit.jsonl: ${audit.fault}`,
    ...(keyFault === undefined ? [] : [`key.json: ${keyFault}`]),
  ].join('; ')
}

/** What is wrong with the files, where the approved text is known. */
export function findingsOf(files: ConstitutionFiles, approved: ApprovedText, unfinished: boolean): Finding[] {
  const long = lengthWarning(approved.text)
  return [
    ...(unfinished ? [] : textFindings(files, approved)),
    ...auditFindings(files, approved),
    ...keyFindings(files, approved),
    ...(long === undefined
      ? []
      : [
          finding(
            'CONSTITUTION_LONG',
            long,
            'Approve a shorter one: mnemos constitution update <file> --apply',
            TEXT_FILE,
          ),
        ]),
  ]
}

function textFindings({ file }: ConstitutionFiles, approved: ApprovedText): Finding[] {
  if (file.kind === 'missing')
    return [
      finding(
        'CONSTITUTION_MISSING',
        'constitution.md is missing.',
        'Put it back with: mnemos doctor --fix',
        {
          ...TEXT_FILE,
          fixable: true,
        },
      ),
    ]
  if (file.kind === 'text' && file.source === renderTextFile(approved)) return []
  const sentence = 'constitution.md is not the text that was approved'
  if (file.kind === 'text')
    return [finding('CONSTITUTION_CHANGED', `${sentence}.`, RESTORE, { ...TEXT_FILE, fixable: true })]
  const remedy = 'Move it away, then put the approved text back with: mnemos doctor --fix'
  return [finding('CONSTITUTION_CHANGED', `${sentence} (${file.reason}).`, remedy, TEXT_FILE)]
}

function auditFindings({ audit, pin }: ConstitutionFiles, approved: ApprovedText): Finding[] {
  const older =
    pin?.publicKey === approved.key && approved.version < pin.version
      ? ` Version ${pin.version} was approved here, and ${approved.version} is the newest that can be verified.`
      : ''
  const wrong = (sentence: string) => [
    finding(
      'CONSTITUTION_AUDIT',
      `${sentence}${older}`.trim(),
      audit.unreadable ? `Move it away. ${RENEW}` : RENEW,
      AUDIT_FILE,
    ),
  ]
  if (audit.raw === undefined) return wrong('The audit of the constitution is missing.')
  if (audit.fault !== undefined) return wrong(`The audit of the constitution was changed: ${audit.fault}.`)
  const last = audit.entries.at(-1)
  if (last && last.key !== approved.key) return [otherKey(approved.key, last.key)]
  if (last && last.version < approved.version)
    return wrong('The audit of the constitution ends before the version that was approved last.')
  if (!pin || pin.publicKey !== approved.key) return []
  if (older !== '') return wrong('')
  const pinned = approvedInPin(pin)
  const line = audit.entries.find(({ version }) => version === pin.version)
  return pinned && isGenuine(pinned) && line && !isLineOf(pinned)(line)
    ? wrong(`Version ${pin.version} in the audit of the constitution is another one than was approved here.`)
    : []
}

function keyFindings({ key, pin, audit }: ConstitutionFiles, approved: ApprovedText): Finding[] {
  if (!key)
    return [
      finding(
        'CONSTITUTION_KEY',
        'The key of the constitution (key.json) is missing or cannot be read, so no update can be approved.',
        'Restore it from a backup, or start anew with: mnemos init --replace',
        KEY_FILE,
      ),
    ]
  if (key.publicKey === approved.key) return []
  if (key.publicKey === pin?.successor)
    return [
      finding(
        'CONSTITUTION_KEY',
        'A replacement of the constitution was interrupted; the text before it counts.',
        'Run mnemos init --replace again.',
        KEY_FILE,
      ),
    ]
  // Where both have the same other key, it is reported of the audit already.
  return audit.entries.at(-1)?.key === key.publicKey ? [] : [otherKey(approved.key, key.publicKey)]
}

const otherKey = (known: string, other: string) =>
  finding(
    'CONSTITUTION_KEY',
    `The constitution's files were signed anew with another key (${fingerprint(other)}) than the one known here (${fingerprint(known)}).`,
    'If you did that on another machine, confirm it with your passphrase: mnemos init. If not, restore the folder constitution/ from a backup, or start anew with: mnemos init --replace',
    { paths: [...KEY_FILE.paths, ...AUDIT_FILE.paths] },
  )

/** What is not wrong, and is reported to the person for a while. */
export function newsOf({ pin, audit, now }: ConstitutionFiles, approved: ApprovedText): Finding[] {
  const isNew = (iso: string) => Math.abs(now - Date.parse(iso)) < NEW_MS
  const news: Finding[] = []
  if (!pin || (pin.found && isNew(pin.at))) {
    news.push(
      finding(
        'CONSTITUTION_FOUND',
        `A constitution that was not approved on this machine was found in the data folder (version ${approved.version}, key ${fingerprint(approved.key)}) and counts from now on.`,
        'If it is yours, confirm it with your passphrase: mnemos init. If not: mnemos init --replace',
        TEXT_FILE,
      ),
    )
  }
  const entry = audit.entries.find(({ version }) => version === approved.version)
  if (entry?.act === 'replace' && isNew(entry.at)) {
    news.push(
      finding(
        'CONSTITUTION_REPLACED',
        `The constitution was started anew under a new key on ${localDay(entry.at)} (mnemos init --replace).`,
        'If that was not you, read what was approved: mnemos constitution show',
        AUDIT_FILE,
      ),
    )
  }
  return news
}

/** What the doctor alone reports. */
export function quietFindings(
  { file }: ConstitutionFiles,
  approved: ApprovedText,
  unfinished: boolean,
): Finding[] {
  if (unfinished)
    return [
      finding(
        'CONSTITUTION_UNFINISHED',
        `The approval of version ${approved.version} of the constitution was interrupted; it counts.`,
        'The next start of a host finishes it, or: mnemos doctor --fix',
        { ...TEXT_FILE, fixable: true },
      ),
    ]
  // Windows has no such bits.
  const open = file.kind === 'text' && file.source === renderTextFile(approved) && file.writable
  if (!open || process.platform === 'win32') return []
  return [
    finding('CONSTITUTION_WRITABLE', 'constitution.md is not read-only.', 'Make it so: mnemos doctor --fix', {
      ...TEXT_FILE,
      fixable: true,
    }),
  ]
}
