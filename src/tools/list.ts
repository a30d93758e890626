/** All tools, in one list. A tool stands here once it works. */
import { constitution } from './constitution.ts'
import { deleteRecord } from './delete.ts'
import { deprecate } from './deprecate.ts'
import { open } from './open.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import type { Tool } from './tool.ts'
import { memorySave, memoryView } from './user-memory.ts'

export const TOOLS: readonly Tool[] = [
  remember,
  recall,
  open,
  deprecate,
  deleteRecord,
  constitution,
  memoryView,
  memorySave,
]
