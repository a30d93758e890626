/** Which background work calls a model. */

export interface ModelWork {
  job: string
  /** Which texts it sends. */
  sends: string
  /** How to stop it. */
  stop: string
}

/** Every job of this version that calls a model unasked. */
export const MODEL_WORK: readonly ModelWork[] = []
