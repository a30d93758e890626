/** What lies in a folder of a profile, in words. */
import type { Holdings } from '../answers/profiles.ts'

/** Empty where it holds nothing. */
export function holdingsText({ files, userMemory, constitution }: Holdings): string {
  const parts = [
    ...(files === 0
      ? []
      : [files === 1 ? 'one record file in memories/' : `${files} record files in memories/`]),
    ...(userMemory === 0
      ? []
      : [userMemory === 1 ? 'one file in user-memory/' : `${userMemory} files in user-memory/`]),
    ...(constitution ? ['its constitution in constitution/'] : []),
  ]
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}
