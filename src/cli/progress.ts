/** A bar for work that takes long, on stderr and only where a person watches it. */
import cliProgress from 'cli-progress'
import type { Progress } from '../store/catalog.ts'

/** Below this nobody needs a bar. */
const WORTH_SHOWING = 200

export function progressBar(what: string): Progress | undefined {
  if (!process.stderr.isTTY) return undefined
  let bar: cliProgress.SingleBar | undefined
  return (done, total) => {
    if (total < WORTH_SHOWING) return
    if (!bar) {
      bar = new cliProgress.SingleBar(
        {
          format: `${what} {bar} {value} of {total}`,
          stream: process.stderr,
          clearOnComplete: true,
          hideCursor: true,
        },
        cliProgress.Presets.shades_classic,
      )
      bar.start(total, done)
    }
    bar.update(done)
    if (done < total) return
    bar.stop()
    bar = undefined
  }
}
