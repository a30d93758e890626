/**
 * Folders below the records that are links: a person moved a year to another disk. They are followed, since every path of
 * ours leads through them anyway: a record written there would else be acknowledged and then not found.
 */

import type { Disk } from '../base/disk.ts'
import { isInside } from '../base/place.ts'

/** The linked folders of one scan. */
export class LinkedFolders {
  readonly #disk: Disk
  readonly #root: string
  /** The folders that are scanned, without links. */
  #real: string[] | undefined

  constructor(disk: Disk, root: string) {
    this.#disk = disk
    this.#root = root
  }

  /**
   * Whether what a link leads to is to be scanned; then undefined. NO_FOLDER: it leads to a file, which is none of ours.
   * NOT_A_FOLDER: it leads nowhere. LINKED_TWICE: it leads to what is scanned anyway, or back to where it lies.
   */
  follow(link: string): 'NO_FOLDER' | 'NOT_A_FOLDER' | 'LINKED_TWICE' | undefined {
    let real: string
    try {
      real = this.#disk.real(link)
    } catch {
      return 'NOT_A_FOLDER'
    }
    if (this.#disk.stamp(real)?.kind !== 'folder') return 'NO_FOLDER'
    this.#real ??= [this.#disk.real(this.#root)]
    if (this.#real.some((other) => isInside(other, real) || isInside(real, other))) return 'LINKED_TWICE'
    this.#real.push(real)
    return undefined
  }
}
