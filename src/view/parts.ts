/** Parts of the view: the constitution, the discipline, the user memory, and what is to be reported. */
import { dataLine } from '../base/data-line.ts'
import type { Language } from '../base/language.ts'
import { type Constitution, inRequest } from '../constitution/constitution.ts'
import type { UserMemory } from '../user-memory/user-memory.ts'
import type { Part } from './view.ts'

export const constitutionPart = (constitution: () => Constitution): Part => ({
  name: 'constitution',
  place: 'system',
  audience: ['main', 'child'],
  order: 0,
  text: () => inRequest(constitution()),
})

/** @param text empty where the installation is damaged, which is reported. */
export const disciplinePart = (text: () => string): Part => ({
  name: 'discipline',
  place: 'system',
  audience: ['main', 'child'],
  order: 10,
  text,
})

/** What the person approved, as the files say it: one line an entry. */
export const userMemoryPart = (userMemory: UserMemory): Part => ({
  name: 'user-memory',
  place: 'message',
  audience: ['main'],
  order: 100,
  text: ({ language }) => userMemory.index(language),
})

/** What is wrong with the memory just now, so that the model can tell the person. */
export const noticesPart = (problems: (language: Language) => readonly string[]): Part => ({
  name: 'notices',
  place: 'message',
  audience: ['main'],
  order: 900,
  text: ({ language }) =>
    problems(language)
      .map((problem) => `- ${dataLine(problem)}`)
      .join('\n'),
})
