/**
 * Things fetched once and kept outside git. Each is made in a folder of its own and renamed into place, so it is there
 * whole or not at all, and two runs at the same time do not disturb each other.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const MAKING = '.making-'
/** A folder that a killed run left behind is swept when it is older than this; a living run needs far less. */
const STALE_MS = 60 * 60 * 1000

export function cacheDir(): string {
  const { MNEMOS_HOST_CACHE, XDG_CACHE_HOME } = process.env
  return MNEMOS_HOST_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'mnemos-hosts')
}

/** @param fill - fills the fresh folder that becomes `target`; what it throws leaves nothing behind. */
export async function makeOnce(target: string, fill: (dir: string) => Promise<void>): Promise<void> {
  if (existsSync(target)) return
  const parent = dirname(target)
  await mkdir(parent, { recursive: true })
  await sweepStale(parent)
  const dir = await mkdtemp(join(parent, MAKING))
  try {
    await fill(dir)
    await rename(dir, target).catch((error: unknown) => {
      // Another run was first; its folder is as good as ours.
      if (!existsSync(target)) throw error
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function sweepStale(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(MAKING)) continue
    const path = join(parent, name)
    const made = await stat(path).catch(() => undefined)
    if (made && Date.now() - made.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true })
  }
}
