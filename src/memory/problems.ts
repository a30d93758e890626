/** What is to be said aloud: each problem once, under a key, until it is gone. */
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
