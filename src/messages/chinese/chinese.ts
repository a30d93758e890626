import type { Catalogue } from '../catalogue.ts'
import { english } from '../english/english.ts'
import { questions } from './questions.ts'

/** What is not here yet is said in English. */
export const chinese: Catalogue = { ...english, questions }
