/**
 * Nothing of ours may throw inside a host listener: it would end the turn, lose the person's message, or stop the
 * process. Whatever is thrown is told to `report` and swallowed.
 */
export type Report = (where: string, error: unknown) => void

/** Runs something that may fail; `fallback` is the answer when it does. */
export function contained<T>(report: Report, where: string, body: () => T, fallback: T): T {
  try {
    return body()
  } catch (error) {
    report(where, error)
    return fallback
  }
}

/** The same for what takes time. */
export async function containedAsync<T>(
  report: Report,
  where: string,
  body: () => Promise<T>,
  fallback: T,
): Promise<T> {
  try {
    return await body()
  } catch (error) {
    report(where, error)
    return fallback
  }
}
