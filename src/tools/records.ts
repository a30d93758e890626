/** The tools that read and write records. */
import type { QuestionWords } from '../messages/catalogue.ts'
import type { Store } from '../store/store.ts'
import { deleteTool } from './delete.ts'
import { deprecateTool } from './deprecate.ts'
import { openTool } from './open.ts'
import { recallTool } from './recall.ts'
import { rememberTool } from './remember.ts'
import type { Tool } from './tool.ts'

/** @param words of the questions that the person is asked. */
export const recordTools = (store: Store, words: QuestionWords): Tool[] => [
  rememberTool(store),
  recallTool(store),
  openTool(store),
  deprecateTool(store),
  deleteTool(store, words),
]
