/** Bytes to text, and spellings of the same text that other programs leave: a byte order mark, Windows line ends. */
import { UnreadableText } from './fault.ts'

const BOM_BYTES = [0xef, 0xbb, 0xbf] as const
const [CR, LF] = [0x0d, 0x0a] as const

/** The bytes without a byte order mark and with `\n` for `\r\n`; nothing else of them is changed. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  const start = BOM_BYTES.every((byte, at) => bytes[at] === byte) ? BOM_BYTES.length : 0
  return bytes.subarray(start).filter((byte, at, all) => !(byte === CR && all[at + 1] === LF))
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a file's bytes.
 * A byte order mark and Windows line ends are no fault, and stay.
 * @throws UnreadableText where it is empty or of another encoding.
 */
export function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new UnreadableText({ code: 'EMPTY' })
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    // The decoder says no more than that.
    throw new UnreadableText({ code: 'NOT_UTF8' })
  }
  if (text.includes('\0')) throw new UnreadableText({ code: 'NUL' })
  if (text.replace('\ufeff', '').trim() === '') throw new UnreadableText({ code: 'BLANK' })
  return text
}
