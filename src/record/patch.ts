/**
 * Changing fields of a front matter and no other byte of it: comments, quotes, numbers as people write them, anchors,
 * line ends, the order of keys and the keys of other programs stay as they stand.
 */
import {
  Alias,
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml'

/** A field as it is to stand: a text, or a list or mapping of texts; undefined takes it out. */
export interface FieldChange {
  key: string
  value: unknown
}

/** How every front matter is read: a scalar is the text that stands there. */
export const FRONT_OPTIONS = {
  schema: 'failsafe',
  prettyErrors: false,
  uniqueKeys: true,
  // A warning on standard error would show a person's words to whoever reads that.
  logLevel: 'error',
} as const

const NO_BREAK = {
  lineWidth: 0,
  flowCollectionPadding: false,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const

/**
 * @param front what stands between the two fences, with its line ends; a mapping, or nothing but comments.
 * @param order keys in the order in which a new one finds its place: after the nearest of those before it.
 * @returns undefined where the change cannot be made without touching another field: nothing may be written then.
 */
export function patchFront(
  front: string,
  changes: readonly FieldChange[],
  order: readonly string[],
): string | undefined {
  let text = front
  for (const change of changes) text = new FrontPatch(text, order).apply(change)
  return isAsWanted(front, text, changes) ? text : undefined
}

/** A front matter of nothing but these fields, in their order. */
export function printFront(fields: readonly FieldChange[]): string {
  return fields
    .filter(({ value }) => value !== undefined)
    .map(({ key, value }) => printedPair(key, nodeFor(value, undefined), false))
    .join('')
}

/** One change of one front matter. */
class FrontPatch {
  readonly #text: string
  readonly #order: readonly string[]
  readonly #eol: string
  readonly #document: Document
  readonly #map: YAMLMap | undefined

  constructor(text: string, order: readonly string[]) {
    this.#text = text
    this.#order = order
    this.#eol = /\r\n/.test(text) ? '\r\n' : '\n'
    this.#document = parseDocument(text, FRONT_OPTIONS)
    this.#map = isMap(this.#document.contents) ? this.#document.contents : undefined
  }

  apply({ key, value }: FieldChange): string {
    const pair = this.#pairOf(key)
    if (this.#map?.flow) return this.#inFlow(this.#map, pair, key, value)
    if (value === undefined) return pair ? this.#replaced(pair, '') : this.#text
    return pair ? this.#replaced(pair, this.#printed(key, value, pair)) : this.#added(key, value)
  }

  #pairOf(key: string): Pair | undefined {
    return this.#map?.items.find((item) => keyOfPair(item) === key)
  }

  /** Where the lines of a pair begin and end. */
  #linesOf(pair: Pair): { start: number; end: number } {
    const start = this.#text.lastIndexOf('\n', startOf(pair) - 1) + 1
    const last = endOf(pair)
    if (last > start && this.#text[last - 1] === '\n') return { start, end: last }
    const lineEnd = this.#text.indexOf('\n', last)
    return { start, end: lineEnd < 0 ? this.#text.length : lineEnd + 1 }
  }

  /** What stands behind a value on its line, if that is a comment; undefined for a value of several lines. */
  #commentBehind(pair: Pair): string | undefined {
    const { start, end } = this.#linesOf(pair)
    const line = this.#text.slice(start, end)
    if (line.trimEnd().includes('\n')) return undefined
    const rest = this.#text.slice(endOf(pair), end).replace(/\r?\n$/, '')
    return /^\s*#/.test(rest) ? rest : undefined
  }

  #replaced(pair: Pair, lines: string): string {
    const { start, end } = this.#linesOf(pair)
    const hasEnd = this.#text.slice(start, end).endsWith('\n')
    const cut = lines !== '' && !hasEnd ? lines.replace(/\r?\n$/, '') : lines
    const text = `${this.#text.slice(0, start)}${cut}${this.#text.slice(end)}`
    return this.#withAliases(pair, text, start, cut.length - (end - start))
  }

  /**
   * An anchor that goes with its field takes the value from the aliases that named it: they get the value itself.
   * @param shift how much longer the text has become behind the field.
   */
  #withAliases(pair: Pair, text: string, start: number, shift: number): string {
    const anchors = new Set<string>()
    visit(pair.value as Node, {
      Node: (_, node) => {
        if (!isAlias(node) && 'anchor' in node && node.anchor) anchors.add(node.anchor)
      },
    })
    if (anchors.size === 0) return text
    const places: { from: number; to: number; value: string }[] = []
    visit(this.#document, {
      Pair: (_, other) => (other === pair ? visit.SKIP : undefined),
      Alias: (_, node) => {
        if (!anchors.has(node.source) || !node.range) return
        const resolved = node.resolve(this.#document)
        const value = resolved ? flowText(resolved.toJS(this.#document)) : '""'
        const [from, to] = node.range
        const by = from > start ? shift : 0
        places.push({ from: from + by, to: to + by, value })
      },
    })
    places.sort((a, b) => b.from - a.from)
    let out = text
    for (const { from, to, value } of places) out = `${out.slice(0, from)}${value}${out.slice(to)}`
    return out
  }

  /** `key: value` in the manner in which the field was written before; ends with a line end. */
  #printed(key: string, value: unknown, before?: Pair): string {
    const comment = before && this.#commentBehind(before)
    const old = before?.value
    const flow = comment !== undefined || (isCollection(old) && old.flow === true)
    const line = printedPair(
      this.#textOfKey(key, before),
      nodeFor(value, isNode(old) ? old : undefined),
      flow,
    )
    const indented = line
      .replace(/\n$/, '')
      .split('\n')
      .map((one) => (one === '' ? one : `${this.#indent()}${one}`))
      .join(this.#eol)
    return `${indented}${comment ?? ''}${this.#eol}`
  }

  /** A key keeps its own quotes. */
  #textOfKey(key: string, before: Pair | undefined): string {
    const node = before?.key
    if (isScalar(node) && node.range) return this.#text.slice(node.range[0], node.range[1])
    return key
  }

  /** What stands before each key, where all are indented. */
  #indent(): string {
    const [first] = this.#map?.items ?? []
    if (!first) return ''
    const { start } = this.#linesOf(first)
    return /^ */.exec(this.#text.slice(start))?.[0] ?? ''
  }

  #added(key: string, value: unknown): string {
    const line = this.#printed(key, value)
    const before = this.#order.slice(0, Math.max(0, this.#order.indexOf(key)))
    const previous = before.toReversed().flatMap((one) => this.#pairOf(one) ?? [])[0]
    const items = this.#map?.items ?? []
    const after = previous ?? (this.#order.includes(key) && items.length > 0 ? undefined : items.at(-1))
    const at = after ? this.#linesOf(after).end : items[0] ? this.#linesOf(items[0]).start : this.#text.length
    const head = this.#text.slice(0, at)
    const open = head !== '' && !head.endsWith('\n') ? this.#eol : ''
    return `${head}${open}${line}${this.#text.slice(at)}`
  }

  /** A front matter on one line in braces. */
  #inFlow(map: YAMLMap, pair: Pair | undefined, key: string, value: unknown): string {
    const close = (map.range?.[1] ?? this.#text.length) - 1
    if (!pair) {
      if (value === undefined) return this.#text
      const lead = map.items.length > 0 ? ', ' : ''
      return `${this.#text.slice(0, close)}${lead}${key}: ${flowText(value)}${this.#text.slice(close)}`
    }
    const at = map.items.indexOf(pair)
    if (value !== undefined) {
      const from = keyEnd(pair)
      const to = Math.max(endOf(pair), from)
      return `${this.#text.slice(0, from)}: ${flowText(value)}${this.#text.slice(to)}`
    }
    const next = map.items[at + 1]
    const previous = map.items[at - 1]
    if (next) return `${this.#text.slice(0, startOf(pair))}${this.#text.slice(startOf(next))}`
    const from = previous ? endOf(previous) : startOf(pair)
    return `${this.#text.slice(0, from)}${this.#text.slice(endOf(pair))}`
  }
}

const keyOfPair = ({ key }: Pair): string | undefined => (isScalar(key) ? String(key.value) : undefined)

const startOf = ({ key }: Pair): number => (isNode(key) ? (key.range?.[0] ?? 0) : 0)
const keyEnd = ({ key }: Pair): number => (isNode(key) ? (key.range?.[1] ?? 0) : 0)

function endOf(pair: Pair): number {
  const value = pair.value
  return isNode(value) ? Math.max(value.range?.[1] ?? 0, keyEnd(pair)) : keyEnd(pair)
}

/** How a text begins that could be a number, a date, a truth value or nothing. */
const PERHAPS_AMBIGUOUS = /^(?:[-+.\d~]|(?:y|n|t|f|on|of|nu|yes|no|tr|fa)[a-z]{0,4}$)/i

const STORED_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Text that another program would not take for a text: a number, a date, a truth value, nothing. */
function isAmbiguous(text: string): boolean {
  if (text === '') return true
  // A time as we store it is meant as one by whoever reads it.
  if (!PERHAPS_AMBIGUOUS.test(text) || STORED_TIME.test(text)) return false
  const core: unknown = parseDocument(text, { schema: 'yaml-1.1', logLevel: 'silent' }).toJS()
  return typeof core !== 'string' && (typeof core !== 'object' || core === null || core instanceof Date)
}

/** A node for a value; what it has in common with the old one keeps its own spelling and comments. */
function nodeFor(value: unknown, old: Node | undefined): Node {
  if (Array.isArray(value) && isCollection(old) && !isMap(old)) {
    const known = [...old.items].filter(isNode)
    const document = new Document(undefined, FRONT_OPTIONS)
    const items = value.map((item) => {
      const at = known.findIndex((node) => !(node instanceof Alias) && sameValue(plainOf(node), item))
      return at < 0 ? nodeFor(item, undefined) : known.splice(at, 1)[0]
    })
    const sequence = document.createNode([])
    if (isCollection(sequence)) sequence.items = items as never
    return sequence as Node
  }
  const node = new Document(undefined, FRONT_OPTIONS).createNode(value) as Node
  const quote = (scalar: Scalar) => {
    if (typeof scalar.value === 'number' || typeof scalar.value === 'boolean') {
      scalar.source = String(scalar.value)
      scalar.type = 'PLAIN'
      scalar.value = String(scalar.value)
    } else if (typeof scalar.value === 'string' && isAmbiguous(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
  }
  if (isScalar(node)) quote(node)
  else visit(node, { Scalar: (at, scalar) => (at === 'key' ? undefined : quote(scalar)) })
  return node
}

const plainOf = (node: Node): unknown => {
  const document = new Document(undefined, FRONT_OPTIONS)
  return node.toJS(document)
}

function printedPair(key: string, node: Node, flow: boolean): string {
  const document = new Document(undefined, FRONT_OPTIONS)
  if (flow && isCollection(node)) node.flow = true
  const map = document.createNode({}) as YAMLMap
  map.items = [document.createPair('k', null)]
  const [pair] = map.items
  if (pair) pair.value = node
  document.contents = map as never
  const printed = document.toString(NO_BREAK)
  // The key goes in as it is spelled.
  return `${key}${printed.slice(1)}`
}

/** A value on one line; a text of several lines has its line ends as escapes. */
function flowText(value: unknown): string {
  const node = nodeFor(value, undefined)
  const quoteLines = (scalar: Scalar) => {
    if (typeof scalar.value === 'string' && /[\r\n\u0085\u2028\u2029]/.test(scalar.value))
      scalar.type = 'QUOTE_DOUBLE'
  }
  if (isScalar(node)) quoteLines(node)
  else visit(node, { Scalar: (_, scalar) => quoteLines(scalar) })
  if (isCollection(node))
    visit(node, {
      Collection: (_, inner) => {
        inner.flow = true
      },
    })
  return printedPair('k', node, true).slice(3).replace(/\n$/, '').replaceAll('\n', ' ')
}

/** Texts, lists and mappings as reading gives them: every number and truth value is a text. */
function asTexts(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(asTexts)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asTexts(inner)]))
  return value ?? ''
}

const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(asTexts(a)) === JSON.stringify(asTexts(b))

/** The values of a front matter, every scalar as the text that stands there. */
function valuesIn(front: string): Record<string, unknown> | undefined {
  const document = parseDocument(front, FRONT_OPTIONS)
  if (document.errors.length > 0) return undefined
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (value === null || value === '') return {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

/** Reads both and compares: what was to change has changed, and nothing else has. */
function isAsWanted(before: string, after: string, changes: readonly FieldChange[]): boolean {
  const [old, now] = [valuesIn(before), valuesIn(after)]
  if (!old || !now) return false
  const wanted = { ...old, ...Object.fromEntries(changes.map(({ key, value }) => [key, value])) }
  const keys = new Set([...Object.keys(wanted), ...Object.keys(now)])
  return [...keys].every((key) => {
    if (wanted[key] === undefined) return !Object.hasOwn(now, key)
    return Object.hasOwn(now, key) && sameValue(now[key], wanted[key])
  })
}
