/** The floor plan of the sources, and what a set of files breaks of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

export interface Source {
  /** Relative to `src/`, with `/` between the parts. */
  path: string
  text: string
}

/**
 * Every room and its floor. A file imports from its own room and from rooms on lower floors; rooms on one floor do not
 * know each other. Rooms within a room stand here as well.
 */
export const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  record: 10,
  files: 11,
  'search/index': 12,
  'search/recall': 13,
  store: 14,
  entries: 15,
  doctor: 14,
  constitution: 20,
  'self-history': 20,
  'user-memory': 20,
  messages: 25,
  tools: 30,
  view: 30,
  answers: 30,
  memory: 40,
  host: 40,
  cli: 50,
  'plugin.ts': 50,
}

/** The room that a file lies in: the longest entry of the table that leads to it. */
export function roomOf(path: string): string | undefined {
  const rooms = Object.keys(FLOORS).filter((room) => path === room || path.startsWith(`${room}/`))
  return rooms.sort((a, b) => b.length - a.length)[0]
}

const IMPORT = /(?:from |import |import\()'([^']+)'/g

const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(IMPORT)].flatMap(([, target = '']) =>
    target.startsWith('.') ? [posix.join(posix.dirname(path), target)] : [],
  )

/** What breaks the floor plan, a sentence each; empty where nothing does. */
export function violations(sources: readonly Source[]): string[] {
  return [...sources.flatMap(wrongIn), ...circlesIn(sources)]
}

function wrongIn(source: Source): string[] {
  const { path, text } = source
  const room = roomOf(path)
  if (room === undefined) return [`${path} lies in no room of the floor plan`]
  const wrong = importsOf(source).flatMap((target) => {
    const other = roomOf(target)
    if (other === room) return []
    if (other === undefined) return [`${path} imports ${target}, which lies in no room of the floor plan`]
    const [from = 0, to = 0] = [FLOORS[room], FLOORS[other]]
    if (to < from) return []
    return [`${path} imports ${target} ${to === from ? 'beside it' : 'from a floor above'}`]
  })
  if (room !== 'host' && /from '@deepseek-ai\//.test(text)) wrong.push(`${path} imports the host's packages`)
  if (/^export \* from/m.test(text)) wrong.push(`${path} exports everything of another file`)
  return wrong
}

/** Files that import each other, over any number of steps: one sentence for each such set. */
function circlesIn(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map((source) => [source.path, importsOf(source)]))
  const reach = new Map<string, ReadonlySet<string>>()
  for (const path of targets.keys()) {
    const seen = new Set<string>()
    const open = [...(targets.get(path) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(targets.get(next) ?? []))
    }
    reach.set(path, seen)
  }
  const inCircle = [...targets.keys()].filter((path) => reach.get(path)?.has(path)).sort()
  const told = new Set<string>()
  return inCircle.flatMap((path) => {
    if (told.has(path)) return []
    const circle = inCircle.filter((other) => reach.get(path)?.has(other) && reach.get(other)?.has(path))
    for (const one of circle) told.add(one)
    return [`${circle.join(', ')} import each other`]
  })
}

const ROOT = join(import.meta.dirname, '..', '..', 'src')

/** The sources of this checkout. */
export const sources = (): Source[] =>
  readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: relative(ROOT, path).replaceAll(sep, '/'),
      text: readFileSync(path, 'utf8'),
    }))
