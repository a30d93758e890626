/**
 * The constitution of a running host: it is looked at again when a file of it changed, and takes only what was approved
 * with the key that it started with. Whatever else is done to the files changes nothing in the request until the next
 * start; it is said aloud.
 */
import { join } from 'node:path'
import { reasonOf } from '../base/errors.ts'
import { mnemosHome } from '../files/data-folder.ts'
import type { Constitution, Language } from './constitution.ts'
import { NEW_MS } from './faults.ts'
import { settle } from './restore.ts'
import type { Home } from './seen.ts'
import { type Standing, standing } from './standing.ts'

const NEXT_START = 'What the host started with stands in the request until its next start.'

export class ConstitutionKeeper {
  readonly #home: Home
  readonly #language: Language
  /** What stands in the request. */
  #inForce: Standing
  #sentences: string[]
  #stamps: string
  /** When what is told for a while is to be looked at again; milliseconds since the epoch. */
  #lookAgainAt: number
  #unsettled: string | undefined

  /** @param language of the template, where that stands. */
  constructor(home: Home, language: Language) {
    this.#home = home
    this.#language = language
    this.#stamps = this.#stampsNow()
    this.#inForce = standing(home, language)
    this.#sentences = said(this.#inForce, this.#inForce.stands)
    this.#lookAgainAt = this.#nextLook(this.#inForce)
  }

  get constitution(): Constitution {
    return this.#inForce.constitution
  }

  /** What is to be said reported of it; undefined where nothing is. */
  get reported(): string | undefined {
    const all = this.#unsettled === undefined ? this.#sentences : [...this.#sentences, this.#unsettled]
    return all.length > 0 ? all.join(' ') : undefined
  }

  /** Looks at the files again if one of them changed: a handful of stats where none did. Never throws. */
  refresh(): void {
    const stamps = this.#stampsNow()
    if (stamps === this.#stamps && this.#home.now() < this.#lookAgainAt) return
    this.#stamps = stamps
    const seen = standing(this.#home, this.#language)
    this.#lookAgainAt = this.#nextLook(seen)
    const { inForce, sentences } = this.#judged(seen)
    this.#inForce = inForce
    this.#sentences = sentences
  }

  #judged(seen: Standing): { inForce: Standing; sentences: string[] } {
    const now = this.#inForce
    if (seen.approved && now.approved) {
      if (seen.approved.key !== now.approved.key) {
        return {
          inForce: now,
          sentences: ['The constitution was approved under another key while the host ran.', NEXT_START],
        }
      }
      if (seen.approved.version >= now.approved.version)
        return { inForce: seen, sentences: said(seen, seen.stands) }
      return { inForce: now, sentences: said(seen, NEXT_START) }
    }
    if (now.approved) return { inForce: now, sentences: said(seen, NEXT_START) }
    if (!seen.approved) {
      // The template's note says why it stands there; a request does not change for what was done to the files.
      return { inForce: now, sentences: said(seen, seen.stands) }
    }
    // The first approval on this machine is pinned; what was only put into the folder is not.
    if (seen.pin && !seen.pin.found) return { inForce: seen, sentences: said(seen, seen.stands) }
    return {
      inForce: now,
      sentences: ['A constitution was put into the data folder while the host ran.', NEXT_START],
    }
  }

  /** Finishes an approval that was cut off, and pins what was found. Never throws; what fails is said aloud. */
  async settle(): Promise<void> {
    const seen = this.#inForce
    if (!seen.unfinished && !seen.nextPin) return
    try {
      this.#unsettled = await settle(this.#home, seen)
    } catch (error) {
      this.#unsettled = `The constitution could not be noted as approved (${reasonOf(error)}).`
    }
  }

  #nextLook({ approved, pin, audit }: Standing): number {
    const times = [pin?.found ? pin.at : undefined, audit.entries.at(-1)?.at]
    const ends = times.map((at) => Date.parse(at ?? '') + NEW_MS).filter((end) => end > this.#home.now())
    return approved && ends.length > 0 ? Math.min(...ends) : Number.POSITIVE_INFINITY
  }

  #stampsNow(): string {
    const { layout, dshHome, disk } = this.#home
    const files = [layout.constitution, layout.audit, layout.key, join(mnemosHome(dshHome), 'profiles.json')]
    return files
      .map((file) => {
        try {
          const stamp = disk.stamp(file)
          return stamp ? `${stamp.size} ${stamp.mtimeMs} ${stamp.ino} ${stamp.mode}` : ''
        } catch (error) {
          return reasonOf(error)
        }
      })
      .join('\n')
  }
}

const said = ({ reported }: Standing, stands: string): string[] =>
  reported.length === 0 || stands === '' ? reported : [...reported, stands]
