/** What is said of a deletion: one sentence; what stays and may hold the same words is listed beside it. */
import type { DeletionReport } from '../../store/deletion.ts'
import { named } from './words.ts'

const LOGS = "the host's own session logs still hold the conversation"

export function deletion({ id, left, cut, alike, others }: DeletionReport): string {
  if (left.length > 0) {
    const each = left.map(({ place, reason }) => (reason === undefined ? place : `${place} (${reason})`))
    return `"${id}" is not deleted everywhere yet: not done is ${each.join(', ')}; it is tried again at the next write.`
  }
  const how = (what: (typeof alike)[number]['what']) => alike.filter((one) => one.what === what).length
  const lost = count(
    cut.length,
    'a record that had words from it lost them',
    'records that had words from it lost them',
  )
  const stays = [
    ...count(
      how('made'),
      'a record made from it still holds words of it where they cannot be cut',
      'records made from it still hold words of it where they cannot be cut',
    ),
    ...count(
      how('record'),
      'another record that stays holds words of it',
      'other records that stay hold words of it',
    ),
    ...count(
      how('entry'),
      'an entry of the user memory, which only the person removes, holds words of it',
      'entries of the user memory, which only the person removes, hold words of it',
    ),
    ...count(
      how('skipped'),
      'a skipped file holds words or the id of it',
      'skipped files hold words or the id of it',
    ),
    ...count(how('naming'), 'another record points to its name', 'other records point to its name'),
    ...count(
      others.filter(({ what }) => what === 'namesake').length,
      'another note bears the same name',
      'other notes bear the same name',
    ),
    ...count(
      others.filter(({ what }) => what === 'named').length,
      "a file that is not Mnemos's bears its name",
      "files that are not Mnemos's bear its name",
    ),
    ...count(
      others.filter(({ what }) => what === 'history').length,
      "a repository's history may hold it",
      "repositories' histories may hold it",
    ),
  ]
  const unknown = [
    ...[...alike, ...others].flatMap(({ file, what, reason }) =>
      what === 'unknown' ? [`${file} (${reason})`] : [],
    ),
  ]
  if (unknown.length > 0) stays.push(`what ${named(unknown)} holds is not known`)
  if (stays.length + lost.length === 0)
    return `"${id}" is deleted, and nothing of it is left in the data folder; ${LOGS}.`
  const rest = stays.length === 0 ? ['nothing of it is left in the data folder'] : stays
  return `"${id}" is deleted; ${[...lost, ...rest].join(', ')}, and ${LOGS}.`
}

const count = (n: number, one: string, many: string): string[] =>
  n === 0 ? [] : [n === 1 ? one : `${n} ${many}`]
