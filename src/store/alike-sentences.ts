/** What is said after a deletion of the texts that stay and hold the same words. */
import { RUN } from '../record/verbatim.ts'
import type { Alike } from './places.ts'

const SAME_WORDS = `Words of it, ${RUN} in a row or more,`

/** Those that are known to hold the same words; the others could not be looked at. */
export const holdingWords = (alike: readonly Alike[]): Alike[] =>
  alike.filter(({ unknown }) => unknown === undefined)

/** A sentence for each file, with what the person can do about it. */
export const alikeForPerson = (alike: readonly Alike[]): string[] =>
  alike.map(({ file, record, unknown }) => {
    if (unknown !== undefined)
      return `Whether words of it also stand in ${file} is not known (${unknown}): look with mnemos search.`
    return record === undefined
      ? `${SAME_WORDS} also stand in ${file}, which you approved on its own: edit or remove that file yourself.`
      : `${SAME_WORDS} also stand in ${file}, a record that stays: where it is to go too, mnemos delete ${record}`
  })

/**
 * A sentence for each way in which they can be removed, for a model: it pays for every word.
 * @param kept how many more are of other workspaces, which are kept from it.
 */
export function alikeForModel(alike: readonly Alike[], kept = 0): string[] {
  const holding = holdingWords(alike)
  const together = (all: readonly Alike[], where: string, how: string): string[] => {
    const named = all.map(({ file, record }) => (record === undefined ? file : `${record} in ${file}`))
    return all.length === 0 ? [] : [`${SAME_WORDS} stand in ${where}: ${named.join('; ')}. ${how}`]
  }
  return [
    ...together(
      holding.filter(({ record }) => record !== undefined),
      'other records, which stay',
      'Delete them too only where the person wants that.',
    ),
    ...together(
      holding.filter(({ record }) => record === undefined),
      'user memory',
      'Only the person removes that.',
    ),
    ...(kept === 0
      ? []
      : [
          `${SAME_WORDS} stand in ${kept === 1 ? '1 record' : `${kept} records`} of other workspaces, which ${kept === 1 ? 'stays' : 'stay'}.`,
        ]),
    ...alike.flatMap(({ file, unknown }) =>
      unknown === undefined ? [] : [`Whether words of it stand in ${file} is not known (${unknown}).`],
    ),
  ]
}
