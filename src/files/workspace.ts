/** What tells which workspace a folder belongs to: its git remotes, its root commits, and where it lies. */
import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ownRemotes, type Remote, remoteOf } from './remote.ts'
import { fingerprintOf, type Repository, remotesOf, repositoryOf, rootsOf } from './repository.ts'

/** How long git's answer holds although nothing seems to have changed. */
const ASK_AGAIN_MS = 60_000

/** What was seen of a folder. */
export interface Seen {
  /** The real path of the repository's top folder; without git of the folder itself. */
  folder: string
  /** The remotes that say which repository it is, `origin` first ({@link ownRemotes}). */
  own: readonly Remote[]
  /** All of its remotes. */
  remotes: readonly Remote[]
}

/** All that tells of a folder. */
export interface Evidence extends Seen {
  /** As git lists them. */
  roots: readonly string[]
}

/** What was seen of a folder; its root commits are looked up when they are first asked for, since that may take long. */
export interface Sight extends Seen {
  roots(): Promise<readonly string[]>
}

/** What a workspace is called for want of an older name, as versions before the register called it. */
export interface Name {
  text: string
  /** Another workspace may well bear the same. */
  isCommon: boolean
}

export function nameOf({ own, roots, folder }: Evidence): Name {
  const [first] = own
  const root = roots.at(-1)
  if (first && (first.name === 'origin' || root === undefined))
    return { text: first.label, isCommon: first.label.startsWith('.') }
  if (root !== undefined) return { text: root, isCommon: false }
  return { text: basename(folder) || folder, isCommon: true }
}

async function realPath(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    // A folder that is gone is known by the path that it had.
    return resolve(folder)
  }
}

async function look(folder: string, repository: Repository | undefined): Promise<Sight> {
  if (!repository) return { folder, own: [], remotes: [], roots: async () => [] }
  const remotes = (await remotesOf(repository)).map((one) => remoteOf(one, repository.top))
  let roots: Promise<readonly string[]> | undefined
  return {
    folder: repository.top,
    own: ownRemotes(remotes),
    remotes,
    roots() {
      roots ??= rootsOf(repository)
      return roots
    },
  }
}

/** Looks at folders; git is asked once a folder, and again when the answer may have changed. Never rejects. */
export class FolderSights {
  readonly #known = new Map<string, { fingerprint: string; at: number; sight: Promise<Sight> }>()

  async of(path: string): Promise<Sight> {
    const folder = await realPath(path)
    const repository = await repositoryOf(folder)
    if (!repository) return look(folder, undefined)
    const fingerprint = JSON.stringify([repository, await fingerprintOf(repository)])
    const known = this.#known.get(folder)
    const now = performance.now()
    if (known?.fingerprint === fingerprint && now - known.at < ASK_AGAIN_MS) return known.sight
    const sight = look(folder, repository)
    this.#known.set(folder, { fingerprint, at: now, sight })
    return sight
  }
}
