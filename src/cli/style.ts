/** Colours, only where a terminal shows them. */
import { styleText } from 'node:util'

const paint = (style: 'bold' | 'dim' | 'yellow') => (text: string) =>
  styleText(style, text, { stream: process.stdout })

export const bold = paint('bold')
export const dim = paint('dim')
export const yellow = paint('yellow')
