/** The tools that read and write records. */
import type { Store } from '../store/store.ts'
import { deleteTool } from './delete.ts'
import { deprecateTool } from './deprecate.ts'
import { openTool } from './open.ts'
import { recallTool } from './recall.ts'
import { rememberTool } from './remember.ts'
import type { Tool } from './tool.ts'

export const recordTools = (store: Store): Tool[] => [
  rememberTool(store),
  recallTool(store),
  openTool(store),
  deprecateTool(store),
  deleteTool(store),
]
