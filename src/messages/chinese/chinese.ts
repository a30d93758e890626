import type { Catalogue } from '../catalogue.ts'
import { deletion } from './deletion.ts'
import { errors } from './errors.ts'
import { fileClause } from './files.ts'
import { findings, repairs } from './findings.ts'
import { hints } from './hints.ts'
import { problems } from './problems.ts'
import { questions } from './questions.ts'

export const chinese: Catalogue = {
  file: fileClause,
  problems,
  findings,
  repairs,
  hints,
  errors,
  questions,
  deletion,
}
