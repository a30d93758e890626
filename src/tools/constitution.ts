/** `constitution`: reads the constitution that stands in the request, whole or by section. */
import { z } from 'zod'
import { MnemosError } from '../base/errors.ts'
import type { Constitution } from '../constitution/constitution.ts'
import { defineTool, type Tool } from './tool.ts'

const input = z.strictObject({ section: z.string().optional() })

const output = z.strictObject({
  initialised: z.boolean(),
  version: z.string(),
  hash: z.string(),
  text: z.string(),
  sections: z.array(z.string()),
  note: z.string().optional(),
})

/** @param inForce the constitution that stands in the request. */
export const constitutionTool = (inForce: () => Constitution): Tool =>
  defineTool({
    name: 'constitution',
    description: 'Read the constitution in force, or one section of it by its heading.',
    input,
    output,
    readsOnly: true,
    async run({ section }) {
      const { initialised, version, hash, text, sections, note } = inForce()
      const all = sections.map(({ heading }) => heading)
      let part = text
      if (section !== undefined && section.trim() !== '') {
        const wanted = section.trim().toLowerCase()
        const found =
          sections.find(({ heading }) => heading.toLowerCase() === wanted) ??
          sections.find(({ heading }) => heading.toLowerCase().includes(wanted))
        if (!found)
          throw new MnemosError(
            'NOT_FOUND',
            `The constitution has no section "${section}".`,
            `It has: ${all.join(', ')}.`,
          )
        part = found.text
      }
      return {
        initialised,
        version,
        hash,
        text: part,
        sections: all,
        ...(note === undefined ? {} : { note }),
      }
    },
  })
