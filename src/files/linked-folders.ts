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
   * What is to be done with a link. `scan` what it leads to; `ignore` it, since that is a file, which is none of ours, or is
   * scanned anyway; or report it: NOT_A_FOLDER leads nowhere, LINKED_TWICE to a folder that holds what is scanned already.
   */
  follow(link: string): 'scan' | 'ignore' | 'NOT_A_FOLDER' | 'LINKED_TWICE' {
    let real: string
    try {
      real = this.#disk.real(link)
    } catch {
      return 'NOT_A_FOLDER'
    }
    if (this.#disk.stamp(real)?.kind !== 'folder') return 'ignore'
    this.#real ??= [this.#disk.real(this.#root)]
    if (this.#real.some((other) => isInside(other, real))) return 'ignore'
    if (this.#real.some((other) => isInside(real, other))) return 'LINKED_TWICE'
    this.#real.push(real)
    return 'scan'
  }
}
