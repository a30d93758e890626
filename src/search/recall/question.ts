/** From words and filters, as a person or a model gives them, to what recall is asked. */
import { defined } from '../../base/defined.ts'
import { MnemosError } from '../../base/errors.ts'
import type { RecallScope } from '../index/scope.ts'
import { instant } from './instant.ts'
import type { RecallRequest } from './request.ts'

export interface Filters {
  task?: string | undefined
  tags?: string[] | undefined
  kind?: string | undefined
  source?: string | undefined
  session?: string | undefined
  /** A day or an instant. */
  since?: string | undefined
  until?: string | undefined
}

/**
 * What recall is asked. A phrasing without a word and a list without a tag count as not given.
 * @param phrasings of one question.
 * @throws MnemosError INVALID_INPUT when nothing is asked at all, or a date is none.
 */
export function questionOf(
  phrasings: readonly string[],
  { since, until, tags, ...plain }: Filters,
): Pick<RecallRequest, 'queries' | 'scope'> {
  const queries = phrasings.filter((phrasing) => phrasing.trim() !== '')
  const scope: RecallScope = {
    ...defined({ ...plain, tags: tags?.length ? tags : undefined }),
    ...instant('since', since, 'begins'),
    ...instant('until', until, 'ends'),
  }
  if (queries.length > 0 || Object.keys(scope).length > 0) return { queries, scope }
  throw new MnemosError(
    'INVALID_INPUT',
    'A search needs a query or a filter.',
    'Give words to search for, or a filter such as kind, source or since.',
  )
}
