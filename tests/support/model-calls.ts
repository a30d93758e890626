/**
 * A file system in memory that knows what would survive a power cut, by a strict model: the bytes of a file only once the
 * file was fsynced, a name in a folder only once the folder was. What is not fsynced may be lost or kept, each by itself.
 */
import { constants } from 'node:fs'
import type { FileStats, FolderItem, SystemCalls } from '../../src/base/system-calls.ts'

interface FileNode {
  kind: 'file'
  bytes: Buffer
  mode: number
  mtimeMs: number
}
interface FolderNode {
  kind: 'folder'
  entries: Map<string, number>
  mode: number
  mtimeMs: number
}
type Node = FileNode | FolderNode
type State = Map<number, Node>

/** A change that is not fsynced yet. */
export interface Change {
  /** Inode of the file or folder that it is in. */
  on: number
  what: string
  apply(state: State): void
}

/** What is durable at one moment, and what may or may not be. */
export interface Moment {
  durable: State
  changes: readonly Change[]
}

const ROOT = 1
const O_ACCMODE = 3

const fail = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code })

const clone = (state: State): State =>
  new Map(
    [...state].map(([ino, node]) => [
      ino,
      node.kind === 'file' ? { ...node } : { ...node, entries: new Map(node.entries) },
    ]),
  )

const folderIn = (state: State, ino: number): FolderNode => {
  const node = state.get(ino)
  if (node?.kind !== 'folder') throw new Error(`inode ${ino} is no folder`)
  return node
}
const fileIn = (state: State, ino: number): FileNode => {
  const node = state.get(ino)
  if (node?.kind !== 'file') throw new Error(`inode ${ino} is no file`)
  return node
}

export class ModelCalls implements SystemCalls {
  #live: State
  #durable: State
  #changes: Change[] = []
  readonly #open = new Map<number, number>()
  #next = 1_000
  #time = Date.UTC(2026, 10, 30)
  /** Called after each change with what was changed. */
  onChange: (what: string) => void = () => {}

  constructor(
    state: State = new Map([[ROOT, { kind: 'folder', entries: new Map(), mode: 0o700, mtimeMs: 0 }]]),
  ) {
    this.#live = clone(state)
    this.#durable = clone(state)
    this.#next += Math.max(...state.keys())
    this.#time += this.#next
  }

  /** A copy of which everything is durable. */
  settled(): ModelCalls {
    return new ModelCalls(this.#live)
  }

  moment(): Moment {
    return { durable: clone(this.#durable), changes: [...this.#changes] }
  }

  /** What a power cut leaves. @param isKept of what was not fsynced. */
  static after({ durable, changes }: Moment, isKept: (change: Change, at: number) => boolean): ModelCalls {
    const state = clone(durable)
    changes.forEach((change, at) => {
      if (isKept(change, at)) change.apply(state)
    })
    return new ModelCalls(state)
  }

  /** Every file by path, to compare and to search. */
  files(): Map<string, Buffer> {
    const out = new Map<string, Buffer>()
    const walk = (ino: number, path: string) => {
      const node = this.#live.get(ino)
      if (node?.kind === 'file') out.set(path, node.bytes)
      else if (node) for (const [name, inner] of node.entries) walk(inner, `${path}/${name}`)
    }
    walk(ROOT, '')
    return out
  }

  #change(on: number, what: string, apply: (state: State) => void): void {
    const change = { on, what, apply }
    apply(this.#live)
    const node = this.#live.get(on)
    if (node) node.mtimeMs = ++this.#time
    this.#changes.push(change)
    this.onChange(what)
  }

  #make(node: Node): number {
    const ino = ++this.#next
    // Reached by nobody until its name is.
    for (const state of [this.#live, this.#durable])
      state.set(ino, node.kind === 'file' ? { ...node } : { ...node, entries: new Map() })
    return ino
  }

  /** @throws ENOENT, ENOTDIR. */
  #find(path: string): number {
    let ino = ROOT
    for (const name of path.split('/').filter((part) => part !== '')) {
      const node = this.#live.get(ino)
      if (node?.kind !== 'folder') throw fail('ENOTDIR', path)
      const next = node.entries.get(name)
      if (next === undefined) throw fail('ENOENT', path)
      ino = next
    }
    return ino
  }

  #parent(path: string): { folder: number; name: string } {
    const at = path.lastIndexOf('/')
    const folder = this.#find(path.slice(0, at))
    if (this.#live.get(folder)?.kind !== 'folder') throw fail('ENOTDIR', path)
    return { folder, name: path.slice(at + 1) }
  }

  #at(path: string): number | undefined {
    if (path === '/') return ROOT
    const { folder, name } = this.#parent(path)
    return folderIn(this.#live, folder).entries.get(name)
  }

  #fd(fd: number): number {
    const ino = this.#open.get(fd)
    if (ino === undefined) throw fail('EBADF', String(fd))
    return ino
  }

  open(path: string, flags: number): number {
    // SQLite would open a file of the real disk.
    if (path.endsWith('.sqlite')) throw fail('EIO', path)
    let ino = this.#at(path)
    if (ino === undefined) {
      if ((flags & constants.O_CREAT) === 0) throw fail('ENOENT', path)
      const { folder, name } = this.#parent(path)
      const made = this.#make({ kind: 'file', bytes: Buffer.alloc(0), mode: 0o600, mtimeMs: ++this.#time })
      this.#change(folder, `new ${path}`, (state) => folderIn(state, folder).entries.set(name, made))
      ino = made
    } else if ((flags & constants.O_EXCL) !== 0) throw fail('EEXIST', path)
    else if (this.#live.get(ino)?.kind === 'folder' && (flags & O_ACCMODE) !== constants.O_RDONLY)
      throw fail('EISDIR', path)
    const fd = ++this.#next
    this.#open.set(fd, ino)
    return fd
  }

  close(fd: number): void {
    this.#open.delete(fd)
  }

  read(fd: number, into: Uint8Array, offset: number, length: number, position: number): number {
    const { bytes } = fileIn(this.#live, this.#fd(fd))
    return bytes.copy(into, offset, position, position + length)
  }

  write(fd: number, data: Uint8Array, offset: number, length: number): number {
    const ino = this.#fd(fd)
    const added = Buffer.from(data.subarray(offset, offset + length))
    // Every writer of ours writes at the end: of an empty file, or of one that it appends to.
    const from = fileIn(this.#live, ino).bytes.length
    this.#change(ino, `${added.length} bytes`, (state) => {
      const file = fileIn(state, ino)
      const before = Buffer.alloc(from)
      file.bytes.copy(before)
      file.bytes = Buffer.concat([before, added])
    })
    return added.length
  }

  fsync(fd: number): void {
    const ino = this.#fd(fd)
    for (const change of this.#changes) if (change.on === ino) change.apply(this.#durable)
    this.#changes = this.#changes.filter(({ on }) => on !== ino)
    this.onChange('fsync')
  }

  truncate(fd: number): void {
    const ino = this.#fd(fd)
    this.#change(ino, 'truncate', (state) => {
      fileIn(state, ino).bytes = Buffer.alloc(0)
    })
  }

  stats(fd: number): FileStats {
    return this.#stats(this.#fd(fd))
  }

  lstat(path: string): FileStats {
    return this.#stats(this.#find(path))
  }

  stat(path: string): FileStats {
    return this.#stats(this.#find(path))
  }

  #stats(ino: number): FileStats {
    const node = this.#live.get(ino)
    if (!node) throw fail('ENOENT', String(ino))
    const isFile = node.kind === 'file'
    return {
      size: isFile ? node.bytes.length : 0,
      mtimeMs: node.mtimeMs,
      ctimeMs: node.mtimeMs,
      ino,
      nlink: 1,
      mode: node.mode,
      isFile: () => isFile,
      isDirectory: () => !isFile,
      isSymbolicLink: () => false,
    }
  }

  /** Permissions and times count as durable: no law rests on them. */
  #set(ino: number, facts: Partial<Pick<Node, 'mode' | 'mtimeMs'>>): void {
    for (const state of [this.#live, this.#durable]) Object.assign(state.get(ino) ?? {}, facts)
  }
  fchmod(fd: number, mode: number): void {
    this.#set(this.#fd(fd), { mode })
  }
  chmod(path: string, mode: number): void {
    this.#set(this.#find(path), { mode })
  }
  futimes(fd: number, seconds: number): void {
    this.#set(this.#fd(fd), { mtimeMs: seconds * 1_000 })
  }
  lutimes(path: string, seconds: number): void {
    this.#set(this.#find(path), { mtimeMs: seconds * 1_000 })
  }

  mkdir(path: string): void {
    if (this.#at(path) !== undefined) throw fail('EEXIST', path)
    const { folder, name } = this.#parent(path)
    const made = this.#make({ kind: 'folder', entries: new Map(), mode: 0o700, mtimeMs: ++this.#time })
    this.#change(folder, `mkdir ${path}`, (state) => folderIn(state, folder).entries.set(name, made))
  }

  rmdir(path: string): void {
    const ino = this.#find(path)
    const node = this.#live.get(ino)
    if (node?.kind !== 'folder') throw fail('ENOTDIR', path)
    if (node.entries.size > 0) throw fail('ENOTEMPTY', path)
    this.#remove(path)
  }

  unlink(path: string): void {
    if (this.#live.get(this.#find(path))?.kind !== 'file') throw fail('EISDIR', path)
    this.#remove(path)
  }

  #remove(path: string): void {
    const { folder, name } = this.#parent(path)
    this.#change(folder, `remove ${path}`, (state) => folderIn(state, folder).entries.delete(name))
  }

  rename(from: string, to: string): void {
    const ino = this.#find(from)
    const [old, next] = [this.#parent(from), this.#parent(to)]
    if (old.folder !== next.folder) throw fail('EXDEV', from)
    this.#change(old.folder, `rename ${from} to ${to}`, (state) => {
      const { entries } = folderIn(state, old.folder)
      entries.delete(old.name)
      entries.set(next.name, ino)
    })
  }

  list(path: string): FolderItem[] {
    const node = this.#live.get(this.#find(path))
    if (node?.kind !== 'folder') throw fail('ENOTDIR', path)
    return [...node.entries].map(([name, ino]) => ({ name, ...this.#stats(ino) }))
  }

  real(path: string): string {
    this.#find(path)
    return path
  }

  writable(path: string): void {
    this.#find(path)
  }
}
