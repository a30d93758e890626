import { vi } from 'vitest'

/**
 * Replaces `performance.now` by a clock that moves on with every look at it, so that what is waited for costs looks and
 * no time. `vi.restoreAllMocks` puts the real one back.
 */
export function steppingClock(stepMs = 60, onLook = () => {}): { at(): number } {
  let at = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    onLook()
    at += stepMs
    return at
  })
  return { at: () => at }
}
