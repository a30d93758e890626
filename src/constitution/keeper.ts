/**
 * The constitution of a running host: its files are read again when one of them changed, and only a text that was
 * approved with the key of its start is taken. Any other change of the files is reported, and the request stays as it is
 * until the next start.
 */

import { join } from 'node:path'
import { reasonOf } from '../base/errors.ts'
import type { Language } from '../base/language.ts'
import { mnemosHome } from '../files/data-folder.ts'
import type { Constitution } from './constitution.ts'
import type { Home } from './constitution-files.ts'
import { NEW_MS } from './faults.ts'
import { settleConstitution } from './restore.ts'
import { type ConstitutionStanding, standing } from './standing.ts'

const NEXT_START = 'What the host started with stands in the request until its next start.'

/** The constitution that is in the requests of this process. */
export class ConstitutionKeeper {
  readonly #home: Home
  readonly #language: Language
  /** What is in the request. */
  #inForce: ConstitutionStanding
  #sentences: string[]
  #stamps: string
  /** When a report that is given for a while ends; milliseconds since the epoch. */
  #lookAgainAt: number
  /** What {@link settle} could not do, or kept. */
  #unsettled: string | undefined

  /** @param language of the template, where that is used. */
  constructor(home: Home, language: Language) {
    this.#home = home
    this.#language = language
    this.#stamps = this.#stampsNow()
    this.#inForce = standing(home, language)
    this.#sentences = reportWith(this.#inForce, this.#inForce.stands)
    this.#lookAgainAt = this.#nextLook(this.#inForce)
  }

  /** The constitution in the request. */
  get constitution(): Constitution {
    return this.#inForce.constitution
  }

  /** What is reported of it; undefined where nothing is wrong. */
  get reported(): string | undefined {
    const all = this.#unsettled === undefined ? this.#sentences : [...this.#sentences, this.#unsettled]
    return all.length > 0 ? all.join(' ') : undefined
  }

  /** Reads the files again if one of them changed: a few stats where none did. Never throws. */
  refresh(): void {
    const stamps = this.#stampsNow()
    if (stamps === this.#stamps && this.#home.now() < this.#lookAgainAt) return
    this.#stamps = stamps
    const current = standing(this.#home, this.#language)
    this.#lookAgainAt = this.#nextLook(current)
    const { inForce, sentences } = this.#judged(current)
    this.#inForce = inForce
    this.#sentences = sentences
  }

  #judged(current: ConstitutionStanding): { inForce: ConstitutionStanding; sentences: string[] } {
    const before = this.#inForce
    if (current.approved && before.approved) {
      if (current.approved.key !== before.approved.key) {
        return {
          inForce: before,
          sentences: ['The constitution was approved under another key while the host ran.', NEXT_START],
        }
      }
      if (current.approved.version >= before.approved.version)
        return { inForce: current, sentences: reportWith(current, current.stands) }
      return { inForce: before, sentences: reportWith(current, NEXT_START) }
    }
    if (before.approved) return { inForce: before, sentences: reportWith(current, NEXT_START) }
    if (!current.approved) {
      // The template stays, with its note: a request does not change for what was done to the files.
      return { inForce: before, sentences: reportWith(current, current.stands) }
    }
    // An approval on this machine is pinned; a constitution that was only put into the folder is not.
    if (current.pin && !current.pin.found)
      return { inForce: current, sentences: reportWith(current, current.stands) }
    return {
      inForce: before,
      sentences: ['A constitution was put into the data folder while the host ran.', NEXT_START],
    }
  }

  /** Finishes an approval that was interrupted, and pins what was found. Never throws; what fails is reported. */
  async settle(): Promise<void> {
    const current = this.#inForce
    if (!current.unfinished && !current.nextPin) return
    try {
      this.#unsettled = await settleConstitution(this.#home, current)
    } catch (error) {
      this.#unsettled = `The constitution could not be noted as approved (${reasonOf(error)}).`
    }
  }

  #nextLook({ approved, pin, audit }: ConstitutionStanding): number {
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

const reportWith = ({ reported }: ConstitutionStanding, stands: string): string[] =>
  reported.length === 0 || stands === '' ? reported : [...reported, stands]
