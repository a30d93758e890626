/** What happens at the start of every turn, before its request is put together. */
import type { Context } from '@deepseek-ai/cordis'
import { contained, type Report } from './contain.ts'

/** The system prompt of a turn's first step is drawn before any step hook runs; the log tells of the turn before that. */
export function onTurnStart(ctx: Context, report: Report, act: () => void): void {
  ctx.on('session/event', (_, event) => {
    if (event.type === 'turn/start') contained(report, 'the start of a turn', act, undefined)
  })
}
