import { visible } from '../base/visible.ts'

/** What is to be said reported: each problem once, under a key, until it is gone. */
export class Problems {
  readonly #sentences = new Map<string, string>()

  set(key: string, sentence: string | undefined): void {
    if (sentence === undefined) this.#sentences.delete(key)
    else this.#sentences.set(key, sentence)
  }

  list(): string[] {
    return [...this.#sentences.values()]
  }
}

/** Files that are named; the rest is counted. */
const NAMED = 3

const andMore = (all: number) => (all > NAMED ? ` and ${all - NAMED} more` : '')

/** The skipped files in one sentence. */
export function badFilesSentence(bad: { path: string; reason: string }[]): string {
  const named = bad
    .slice(0, NAMED)
    .map(({ path, reason }) => `${path === '.' ? 'memories' : visible(path)} (${visible(reason)})`)
  const skipped =
    bad.length === 1
      ? 'One file is skipped and left as it is'
      : `${bad.length} files are skipped and left as they are`
  return `${skipped}: ${named.join(', ')}${andMore(bad.length)}.`
}

/** Several files with one id, in one sentence; of each the first path counts. */
export function copiesSentence(copies: { id: string; paths: string[] }[]): string {
  const named = copies
    .slice(0, NAMED)
    .map(
      ({ id, paths: [counts, ...others] }) =>
        `"${id}" (${visible(counts ?? '')} counts, ${visible(others.join(', '))} not)`,
    )
  const records = copies.length === 1 ? 'One record lies' : `${copies.length} records lie`
  return `${records} in several files: ${named.join('; ')}${andMore(copies.length)}. Move what is wanted into the one that counts and remove the other.`
}

/** Files that vanished together, in one sentence. */
export const absentSentence = (absent: number): string =>
  `${absent} record files vanished at once, as when a disk is not mounted or a sync is half done: they are not shown and nothing is forgotten. Wait for them, or forget them with: mnemos doctor --forget-absent`
