/** What to try next when little or nothing was found: one short sentence each. */
import type { LeftOut } from '../../search/recall/leave-outs.ts'
import type { Catalogue } from '../catalogue.ts'

const LEFT_OUT: Record<LeftOut, [one: string, many: string]> = {
  candidate: ['candidate', 'candidates'],
  deprecated: ['deprecated record', 'deprecated records'],
  verdict: ['verdict', 'verdicts'],
  giant: ['giant record', 'giant records'],
  archived: ['archived record', 'archived records'],
  isolated: ['record of another workspace', 'records of other workspaces'],
}

export const hints: Catalogue['hints'] = {
  LEFT_OUT: ({ reason, count }) => {
    const what = `${count} ${LEFT_OUT[reason][count === 1 ? 0 : 1]} not shown`
    return reason === 'isolated'
      ? `${what}: this workspace is isolated.`
      : `${what}; pass include: ["${reason}"].`
  },
  WITHOUT_FILTERS: ({ filters, count }) =>
    `Without ${filters.join(', ')} ${count === 1 ? '1 record matches' : `${count} records match`}.`,
  NEAR_TERMS: ({ word, near }) => `No record holds "${word}"; near terms: ${near.join(', ')}.`,
  ARCHIVED_SHOWN: () => 'No active record answers well, so archived ones are among the hits.',
  NO_WORDS: () => 'The query has no words to search for: name a thing, a person or a place.',
  NOTHING_MATCHES: () => 'Nothing matches: try other words, fewer words, or the other language.',
}
