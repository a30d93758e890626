/** The record files on disk: which there are, what each one holds, and why one cannot be read. */

import { posix } from 'node:path'
import { type Disk, type ReplaceOptions, type Stamp, TEMPORARY_PREFIX } from '../base/disk.ts'
import { MnemosError, systemCode } from '../base/errors.ts'
import { decode } from '../record/encoding.ts'
import { parse } from '../record/parse.ts'
import { FILE_LIMIT, type MemoryRecord } from '../record/record.ts'
import { type FileFault, faultOf } from './file-fault.ts'
import { LinkedFolders } from './linked-folders.ts'
import { type FileStamp, type FolderStamp, stampToNote } from './stamps.ts'

/** A file that holds a record. */
export interface GoodFile {
  file: FileStamp
  record: MemoryRecord
  text: string
}

/** A file that holds none, and why. */
export interface BadFile {
  file: FileStamp
  fault: FileFault
}

/** What one pass through the folder saw. Paths are relative to it. */
export interface Scan {
  /** Milliseconds since the epoch, by the system's clock. */
  startedAt: number
  files: FileStamp[]
  /** Files that cannot be records, whatever they hold: links, pipes, too large. */
  bad: BadFile[]
  /** Folders that could not be listed, each with the fault: what they hold is unknown, not gone. */
  unread: { path: string; fault: FileFault }[]
  /** Temporary files: of a write that is under way, or of one that was killed. */
  temporary: string[]
  /** Folders that were listed, with their times before that. */
  folders: FolderStamp[]
  /** Folders that were not listed, because no file in them can have come or gone since an earlier scan. */
  skipped: ReadonlySet<string>
}

/** What the system says where a folder cannot be made because of what is above it. */
const IN_THE_WAY = ['EEXIST', 'ENOENT', 'ENOTDIR', 'ELOOP']

const isRecordName = (name: string) => !name.startsWith('.') && name.endsWith('.md')

/** The name of a record file without its ending: its id, where the file names no other. */
export const stemOf = (path: string): string => posix.basename(path, '.md')

/** The path of a new record: year and month of its creation, then its id. @param created ISO. */
export const pathFor = (id: string, created: string): string =>
  `${created.slice(0, 4)}/${created.slice(5, 7)}/${id}.md`

/** A folder of record files. It keeps nothing of what it reads. */
export class RecordFiles {
  readonly #disk: Disk
  readonly root: string

  constructor(disk: Disk, root: string) {
    this.#disk = disk
    this.root = root
  }

  /** The absolute path of a file or folder in it. */
  absolute(path: string): string {
    return path === '' ? this.root : `${this.root}/${path}`
  }

  /** A path in it as people are told: relative to the data folder. */
  told(path: string): string {
    return posix.join(posix.basename(this.root), path)
  }

  /**
   * Every file below the folder that could be a record, at any depth. Never throws.
   * @param known folders with their times at an earlier scan: one whose time is the same is not listed again. A file that
   * is added, removed or replaced changes the time of its folder; one that is written into does not, and is not seen.
   */
  scan(known: readonly FolderStamp[] = []): Scan {
    const skipped = new Set<string>()
    const scan: Scan = {
      startedAt: Date.now(),
      files: [],
      bad: [],
      unread: [],
      temporary: [],
      folders: [],
      skipped,
    }
    const times = new Map(known.map(({ path, changedMs }) => [path, changedMs]))
    const linked = new LinkedFolders(this.#disk, this.root)
    const folders = ['']
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      try {
        const stamp = this.#disk.stamp(this.absolute(folder))
        if (!stamp) continue
        // What changes behind a link does not change the link.
        const changedMs = stamp.kind === 'folder' ? stamp.ctimeMs : Number.NaN
        if (times.get(folder) === changedMs) {
          skipped.add(folder)
          folders.push(...foldersIn(folder, times.keys()))
          continue
        }
        const inIt = this.#list(folder, scan, linked)
        if (!inIt) {
          scan.unread.push({ path: folder || '.', fault: { code: 'NOT_A_FOLDER' } })
          continue
        }
        folders.push(...inIt)
        if (!Number.isNaN(changedMs)) scan.folders.push({ path: folder, changedMs })
      } catch (error) {
        scan.unread.push({ path: folder || '.', fault: faultOf(error) })
      }
    }
    return scan
  }

  /** Adds the files of one folder to a scan. @returns the folders in it; undefined where it is none. */
  #list(folder: string, scan: Scan, linked: LinkedFolders): string[] | undefined {
    const entries = this.#disk.list(this.absolute(folder))
    // A folder that was removed meanwhile holds nothing; something else in its place cannot be listed.
    if (!entries && this.#disk.stamp(this.absolute(folder))) return undefined
    const folders: string[] = []
    for (const { name, kind } of entries ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (kind === 'folder') {
        if (!name.startsWith('.')) folders.push(path)
      } else if (kind === 'link' && !name.startsWith('.') && !isRecordName(name)) {
        const what = linked.follow(this.absolute(path))
        if (what === 'scan') folders.push(path)
        else if (what !== 'ignore') scan.unread.push({ path, fault: { code: what } })
      } else if (isRecordName(name)) {
        this.#see(path, scan)
      } else if (name.startsWith(TEMPORARY_PREFIX)) {
        scan.temporary.push(path)
      }
    }
    return folders
  }

  #see(path: string, scan: Scan): void {
    try {
      const stamp = this.#disk.stamp(this.absolute(path))
      if (!stamp) return
      const file = fileStamp(path, stamp)
      const fault = unfit(stamp)
      if (fault) scan.bad.push({ file, fault })
      else scan.files.push(file)
    } catch (error) {
      scan.bad.push({ file: unknownStamp(path), fault: faultOf(error) })
    }
  }

  /** What is at a path now; undefined where there is nothing, or the disk does not tell. */
  stamp(path: string): FileStamp | undefined {
    try {
      const stamp = this.#disk.stamp(this.absolute(path))
      return stamp && fileStamp(path, stamp)
    } catch {
      // Whoever asks takes the file for changed, and reads it.
      return undefined
    }
  }

  /**
   * What a path holds now: a record, the fault that keeps it from being one, or undefined where there is no file. Its stamp
   * is one to be noted ({@link stampToNote}). Never throws.
   */
  read(path: string): GoodFile | BadFile | undefined {
    const at = Date.now()
    let file = unknownStamp(path)
    try {
      const stamp = this.#disk.stamp(this.absolute(path))
      if (!stamp) return undefined
      file = stampToNote(fileStamp(path, stamp), at)
      const fault = unfit(stamp)
      if (fault) return { file, fault }
      const bytes = this.#disk.read(this.absolute(path), FILE_LIMIT)
      if (!bytes) return undefined
      const text = decode(bytes)
      return { file, text, record: parse(text, { stem: stemOf(path), mtimeMs: stamp.mtimeMs }) }
    } catch (error) {
      return { file, fault: faultOf(error) }
    }
  }

  /** Writes a file as a whole; `beforeRename` may stop it at the last moment. Throws what the disk throws. */
  write(
    path: string,
    text: string,
    hooks: Pick<ReplaceOptions, 'beforeRename' | 'afterRename' | 'mtimeMs'> = {},
  ): FileStamp {
    const absolute = this.absolute(path)
    try {
      this.#disk.folder(posix.dirname(absolute))
    } catch (error) {
      throw this.#blocked(path, error)
    }
    this.#disk.replace(absolute, text, hooks)
    return this.stamp(path) ?? { path, size: Buffer.byteLength(text), mtimeMs: 0, ino: 0 }
  }

  /** Why the folder of a file cannot be made: with the name of what is in the way, where something is. */
  #blocked(path: string, cause: unknown): unknown {
    if (!IN_THE_WAY.includes(systemCode(cause) ?? '')) return cause
    const parents = posix.dirname(path).split('/')
    const all = ['', ...parents.map((_, at) => parents.slice(0, at + 1).join('/'))]
    const blocking = all.find((one) => !this.#mayHold(this.absolute(one)))
    if (blocking === undefined) return cause
    return new MnemosError(
      'STORAGE',
      `${this.told(blocking)} is no folder, or a link that leads nowhere; nothing was changed.`,
      'Mount the disk that it leads to, or put a folder in its place.',
      { cause },
    )
  }

  /** Whether a path is a folder, leads to one, or is nothing yet. */
  #mayHold(absolute: string): boolean {
    try {
      const kind = this.#disk.stamp(absolute)?.kind
      if (kind !== 'link') return (kind ?? 'folder') === 'folder'
      return this.#disk.stamp(this.#disk.real(absolute))?.kind === 'folder'
    } catch {
      // A link that leads nowhere.
      return false
    }
  }

  /** Removes a file; false where there was none. Throws what the disk throws. */
  remove(path: string): boolean {
    return this.#disk.remove(this.absolute(path))
  }

  /**
   * Removes temporary files. Call it only under the lock: nobody else is writing then. What cannot be removed stays and
   * does no harm.
   */
  sweep(temporary: readonly string[]): void {
    for (const path of temporary) {
      try {
        this.remove(path)
      } catch {
        // The next write tries again.
      }
    }
  }
}

/**
 * As {@link RecordFiles.read}, for what must know what a file holds.
 * @throws MnemosError STORAGE where the reading itself fails.
 */
export function readOrFail(files: RecordFiles, path: string): GoodFile | BadFile | undefined {
  const loaded = files.read(path)
  if (loaded && 'fault' in loaded && loaded.fault.code === 'UNREADABLE')
    throw new MnemosError(
      'STORAGE',
      `${files.told(path)} cannot be read (${loaded.fault.reason}).`,
      'Try again.',
    )
  return loaded
}

/** The folder that a file or folder is in; empty at the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const foldersIn = (folder: string, all: Iterable<string>) =>
  [...all].filter((path) => path !== '' && folderOf(path) === folder)

/** Of a file that the disk tells nothing of: it is like no other stamp. */
const unknownStamp = (path: string): FileStamp => ({ path, size: 0, mtimeMs: Number.NaN, ino: 0 })

const fileStamp = (path: string, stamp: Stamp): FileStamp => ({
  path,
  size: stamp.size,
  mtimeMs: stamp.mtimeMs,
  ino: stamp.ino,
})

/** Why something on disk is not read, whatever it holds; undefined where it can be. @param limit bytes. */
export function unfit(stamp: Stamp, limit = FILE_LIMIT): FileFault | undefined {
  if (stamp.kind === 'link') return { code: 'LINK' }
  if (stamp.kind !== 'file') return { code: 'NOT_REGULAR' }
  if (stamp.links > 1) return { code: 'HARD_LINK' }
  if (stamp.size > limit) return { code: 'TOO_LARGE', limit }
  return undefined
}
