/** Spellings of the same text that other programs leave: a byte order mark, Windows line ends. */

const BOM = [0xef, 0xbb, 0xbf] as const
const [CR, LF] = [0x0d, 0x0a] as const

/** The bytes without a byte order mark and with `\n` for `\r\n`; nothing else of them is changed. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  const start = BOM.every((byte, at) => bytes[at] === byte) ? BOM.length : 0
  return bytes.subarray(start).filter((byte, at, all) => !(byte === CR && all[at + 1] === LF))
}
