/** The tools of a memory that nobody opens: their names, descriptions and schemas. */
import { systemClock } from '../../src/base/clock.ts'
import { defaultConfig } from '../../src/base/config.ts'
import { nodeDisk } from '../../src/base/disk.ts'
import { openMemory } from '../../src/memory/open.ts'

const NOWHERE = '/nonexistent'

export const TOOLS = openMemory({
  root: NOWHERE,
  config: defaultConfig(),
  clock: systemClock,
  disk: nodeDisk,
  dshHome: NOWHERE,
  environment: {},
}).tools
