/** Which background work calls a model, told before a person decides to have any. */
import { MODEL_WORK } from '../answers/model-work.ts'

/** Where newer hosts send what is said in a session, and how to stop it. */
export const PRIVACY = [
  "Newer hosts (0.2) send session logs to DeepSeek with every request unless told not to, and in them what Mnemos puts into a session; besides, the names of installed plugins. To turn both off, in the profile's cordis.patch.yml:",
  '  - id: session-log-deepseek',
  '    config:',
  '      enabled: false',
  '  - id: plugin-package-inventory-deepseek',
  '    disabled: true',
] as const

export const modelWorkLines = (): string[] =>
  MODEL_WORK.length === 0
    ? ['Background work of this version that calls a model: none.']
    : [
        'Background work of this version that calls a model:',
        ...MODEL_WORK.map(({ job, sends, stop }) => `  ${job}: sends ${sends}; to stop it: ${stop}`),
      ]
