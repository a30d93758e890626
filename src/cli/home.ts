/** Where the constitution of a folder lives, for the commands that are about it. */
import { systemClock } from '../base/clock.ts'
import { nodeDisk } from '../base/disk.ts'
import type { Home } from '../constitution/constitution-files.ts'
import { dshHomeOf } from '../files/data-folder.ts'
import { layoutOf } from '../files/layout.ts'

export const homeOf = (folder: string, environment: NodeJS.ProcessEnv = process.env): Home => ({
  disk: nodeDisk,
  layout: layoutOf(folder),
  dshHome: dshHomeOf(environment),
  now: systemClock.now,
})
