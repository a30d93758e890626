/** The calls of this machine's disk, watched: each can be made to fail, and each is seen with the path it is about. */
import { nodeCalls, type SystemCalls } from '../../src/base/system-calls.ts'

export interface SeenCall {
  name: keyof SystemCalls
  /** Of calls on an open file: the path that it was opened by. */
  path: string
  /** Which call it is, from 1. */
  n: number
}

/** An error as Node words it. @param what the call, and the path between quotes. */
export const systemError = (code: string, what: string) =>
  Object.assign(new Error(`${code}: made to fail, ${what}`), { code })

/** @param codeOf the system's code that a call fails with; undefined lets it pass. */
export function watchedCalls(
  codeOf: (call: SeenCall) => string | undefined,
  real: SystemCalls = nodeCalls,
): SystemCalls {
  const opened = new Map<number, string>()
  let n = 0
  return new Proxy(real, {
    get(target, name: keyof SystemCalls) {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function') return call
      return (...given: unknown[]) => {
        const [first] = given
        const path = typeof first === 'number' ? (opened.get(first) ?? '') : String(first)
        const code = codeOf({ name, path, n: ++n })
        // A close that reports an error has closed the file all the same.
        if (name === 'close' && typeof first === 'number') {
          opened.delete(first)
          if (code !== undefined) target.close(first)
        }
        if (code !== undefined) throw systemError(code, `${name} '${path}'`)
        const result: unknown = Reflect.apply(call, target, given)
        if (name === 'open' && typeof result === 'number') opened.set(result, path)
        return result
      }
    },
  })
}
