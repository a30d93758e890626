/** What to try next when little or nothing was found: one short sentence each. */
import type { Catalogue } from '../catalogue.ts'

export const hints: Catalogue['hints'] = {
  LEFT_OUT: ({ reasons }) => {
    const askable = reasons.filter((reason) => reason !== 'isolated')
    return [
      ...(askable.length > 0
        ? [`What leftOut counts is shown with include: [${askable.map((one) => `"${one}"`).join(', ')}].`]
        : []),
      ...(askable.length < reasons.length
        ? ['What other workspaces hold is not shown: this one is isolated.']
        : []),
    ].join(' ')
  },
  WITHOUT_FILTERS: ({ filters, count }) =>
    `Without ${filters.join(', ')} ${count === 1 ? '1 record matches' : `${count} records match`}.`,
  NEAR_TERMS: ({ word, near }) => `No record holds "${word}"; near terms: ${near.join(', ')}.`,
  ARCHIVED_SHOWN: () => 'No active record answers well, so archived ones are among the hits.',
  NO_WORDS: () => 'The query has no words to search for: name a thing, a person or a place.',
  NOTHING_MATCHES: () => 'Nothing matches: try other words, fewer words, or the other language.',
}
