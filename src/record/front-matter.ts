/** The front matter of a file: YAML between two lines of `---`, read within limits that keep the parser fast. */
import { type Document, isMap, isScalar, parseDocument, visit } from 'yaml'
import { z } from 'zod'
import { reasonOf } from '../base/errors.ts'
import { type FullWidth, type TextFault, UnreadableText } from './fault.ts'

export interface Parts {
  /** YAML between the fences; undefined where there are none. */
  front: string | undefined
  body: string
}

export const OPEN = /^---[ \t]*\n/
/** A line of its own; only a line feed ends a line here, not every character that an `m` flag takes for one. */
const CLOSE = /(?<=^|\n)---[ \t]*(?:\n|$)/

/**
 * Within these limits no front matter takes the parser longer than some 200 ms, whatever it is made of; with more of
 * either it takes seconds. The signs are those that mean something to YAML, counted wherever they stand: some thousand
 * ids fit, or 32 KiB of prose.
 */
export const FRONT_BYTES = 32 * 1024
export const FRONT_SIGNS = 2_048
const SIGN = /[[\]{}:,&*!?"'%\\|>#\n-]/g

const bad = (fault: TextFault) => new UnreadableText(fault)

/** @throws UnreadableText where front matter was begun and not closed. */
export function split(text: string): Parts {
  const open = OPEN.exec(text)
  if (!open) return { front: undefined, body: text }
  const rest = text.slice(open[0].length)
  const close = CLOSE.exec(rest)
  if (!close) throw bad({ code: 'FRONT_NOT_CLOSED' })
  return { front: rest.slice(0, close.index), body: rest.slice(close.index + close[0].length) }
}

/**
 * The front matter of a file, still as YAML.
 * @param options.schema what scalars become; `failsafe` leaves every one a text.
 * @param options.signs how many signs of punctuation and line ends it may have.
 * @throws UnreadableText naming what is wrong with it.
 */
export function frontDocument(
  front: string,
  { schema = 'core', signs = FRONT_SIGNS }: { schema?: 'core' | 'failsafe'; signs?: number } = {},
): Document {
  if (Buffer.byteLength(front) > FRONT_BYTES) throw bad({ code: 'FRONT_TOO_LARGE', limit: FRONT_BYTES })
  if ((front.match(SIGN)?.length ?? 0) > signs) throw bad({ code: 'FRONT_TOO_MANY_SIGNS', limit: signs })
  const document = parseDocument(front, { prettyErrors: false, uniqueKeys: false, schema })
  const error = document.errors[0]
  if (error) throw bad(yamlFault(error, lineOf(front, error.pos[0])))
  if (document.contents !== null && !isMap(document.contents)) throw bad({ code: 'FRONT_NO_KEYS' })
  const twice = repeatedKey(document)
  if (twice !== undefined) throw bad(yamlFault('Map keys must be unique', lineOf(front, twice)))
  return document
}

/** Where a key stands that its map has already; the parser's own check compares each key with every other one. */
function repeatedKey(document: Document): number | undefined {
  let at: number | undefined
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) {
          at = key.range?.[0] ?? 0
          return visit.BREAK
        }
        keys.add(key.value)
      }
      return undefined
    },
  })
  return at
}

/** Of a parser's words, characters. */
const WORDS = 120

const yamlFault = (error: unknown, line?: number): TextFault => ({
  code: 'YAML',
  reason: reasonOf(error).slice(0, WORDS),
  ...(line === undefined ? {} : { line }),
})

/** The line of the file, counted from 1; the opening fence is the first. */
const lineOf = (front: string, offset: number): number => front.slice(0, offset).split('\n').length + 1

/** A key of which a Chinese keyboard wrote the colon, and a list in brackets with its comma. */
const WIDE_COLON = /^[ \t]*([\p{L}\p{N}_-]{1,40})[ \t]*：/mu
const WIDE_COMMA = /\[[^\]\n]*，/

/**
 * Full-width signs that are likely to be behind a fault in a front matter; undefined where there are none. They are only
 * named: which signs a person meant is theirs to say.
 */
export function fullWidthIn(front: string): FullWidth | undefined {
  const key = WIDE_COLON.exec(front)?.[1]
  const comma = WIDE_COMMA.test(front)
  if (key === undefined && !comma) return undefined
  return { ...(key === undefined ? {} : { key }), ...(comma ? { comma } : {}) }
}

/** The keys and values of a front matter. @throws UnreadableText naming what is wrong with it. */
export function fieldsOf(document: Document): Record<string, unknown> {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 })
    return z.record(z.string(), z.unknown()).nullable().parse(value) ?? {}
  } catch (error) {
    throw bad(yamlFault(error))
  }
}
