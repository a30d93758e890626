/** The front matter of a file: YAML between two lines of `---`, read within limits that keep the parser fast. */
import { type Document, isMap, isScalar, parseDocument, visit } from 'yaml'
import { z } from 'zod'
import { reasonOf } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import { type FullWidth, type TextFault, UnreadableText } from './fault.ts'
import { FRONT_OPTIONS } from './patch.ts'
import { FIELD_ORDER } from './record.ts'

/** A file's text in its parts; put one after the other they are that text. */
export interface TextParts {
  /** A byte order mark, blank lines and the opening fence; empty or a byte order mark where there is no front matter. */
  head: string
  /** YAML between the fences; undefined where there is none. */
  front: string | undefined
  /** The closing fence with its line end. */
  close: string
  body: string
  /** How its lines end. */
  eol: '\n' | '\r\n'
  /** Its front matter is TOML: it stands in `head` and is left alone. */
  toml?: true
}

const BOM = '\ufeff'
const OPEN = /^---[ \t]*\r?\n/
/** Notes of some programs begin with blank lines. */
const BLANK = /^(?:[ \t]*\r?\n)+/
/** A line of its own, `...` as Pandoc and Zettlr close it too; only a line feed ends a line here, not whatever an `m` flag takes for one. */
const CLOSE = /(?<=^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const TOML = /^\+\+\+[ \t]*\r?\n(?:[^\n]*\n)*?\+\+\+[ \t]*(?:\r?\n|$)/
/** A line that may be one of a mapping: a key with its colon, or a mapping in braces. */
const KEY_LINE = /^[ \t]*(?:\{|(?:"[^"\n]*"[ \t]*|'[^'\n]*'[ \t]*|[^\s#"'>|`*-][^\n]*?)(?::(?=[ \t\r]|$)|：))/
/** Lines that say nothing of what a block is. */
const EMPTY_LINES = /^(?:[ \t]*(?:#[^\n]*)?\r?(?:\n|$))*/
/** A line of ours, wherever it stands: a front matter that is broken above it is still one. */
const FIELD_LINE = new RegExp(`^(?:${FIELD_ORDER.join('|')})[ \\t]*[:：]`, 'm')

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
export function split(text: string): TextParts {
  const bom = text.startsWith(BOM) ? BOM : ''
  const plain = text.slice(bom.length)
  const eol = /\r\n/.test(plain) ? '\r\n' : '\n'
  const toml = TOML.exec(plain)?.[0]
  if (toml !== undefined)
    return { head: bom + toml, front: undefined, close: '', body: plain.slice(toml.length), eol, toml: true }
  const none: TextParts = { head: bom, front: undefined, close: '', body: plain, eol }
  const blank = BLANK.exec(plain)?.[0] ?? ''
  const open = OPEN.exec(plain.slice(blank.length))?.[0]
  if (open === undefined) return none
  const head = `${bom}${blank}${open}`
  const rest = text.slice(head.length)
  const close = CLOSE.exec(rest)
  const front = close ? rest.slice(0, close.index) : undefined
  // A line of dashes is a rule as often as it opens a front matter.
  if (!close || front === undefined) {
    if (blank !== '' || !beginsWithKey(rest)) return none
    throw bad({ code: 'FRONT_NOT_CLOSED' })
  }
  if (!isFront(front)) return none
  return { head, front, close: close[0], body: rest.slice(close.index + close[0].length), eol }
}

const beginsWithKey = (block: string): boolean =>
  KEY_LINE.test(block.slice(EMPTY_LINES.exec(block)?.[0].length ?? 0).split('\n')[0] ?? '')

/** Whether what stands between two lines of dashes is a front matter; one of comments alone, or of nothing, is. */
const isFront = (block: string): boolean =>
  EMPTY_LINES.exec(block)?.[0].length === block.length || beginsWithKey(block) || FIELD_LINE.test(block)

/**
 * The front matter of a file, still as YAML; every scalar is the text that stands there.
 * @param signs how many signs of punctuation and line ends it may have.
 * @throws UnreadableText naming what is wrong with it.
 */
export function frontDocument(front: string, signs = FRONT_SIGNS): Document {
  if (Buffer.byteLength(front) > FRONT_BYTES) throw bad({ code: 'FRONT_TOO_LARGE', limit: FRONT_BYTES })
  if ((front.match(SIGN)?.length ?? 0) > signs) throw bad({ code: 'FRONT_TOO_MANY_SIGNS', limit: signs })
  const document = parseDocument(front, { ...FRONT_OPTIONS, uniqueKeys: false })
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
  reason: cut(reasonOf(error), WORDS),
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
    const value: unknown = document.contents === null ? {} : document.toJS({ maxAliasCount: 20 })
    return z.record(z.string(), z.unknown()).parse(value)
  } catch (error) {
    throw bad(yamlFault(error))
  }
}

/** The line of a front matter on which a key stands, counted from 1. */
export function lineOfKey(front: string, key: string): number {
  const { contents } = frontDocument(front)
  const pair = isMap(contents)
    ? contents.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : undefined
  const offset = isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0
  return front.slice(0, offset).split('\n').length
}
