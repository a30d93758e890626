/**
 * The story that the demo tells and the end-to-end test checks: one fact is remembered in one session, found and
 * corrected in another one in another folder, and deleted by the person. What the person says is fixed; the scripted
 * model below plays the assistant where no real one is to be had.
 */
import type { ModelView, Reply, ViewResult } from '../tests/support/model-view.ts'

export interface Scene {
  title: string
  /** The folder that the session is opened in. */
  folder: string
  says: string
}

export const SCENES = {
  remember: {
    title: 'A session in one folder is told something',
    folder: 'billing',
    says: 'Remember: the staging database of the billing service listens on port 5433.',
  },
  recall: {
    title: 'A new process, another session, another folder: what does it know?',
    folder: 'website',
    says: 'Which port does the staging database of the billing service listen on? Look it up in your memory.',
  },
  correct: {
    title: 'The fact changes, and the record is corrected, not overwritten',
    folder: 'website',
    says: 'The staging database of the billing service was moved: it now listens on port 6543. Correct your memory.',
  },
  delete: {
    title: 'A deletion needs the person, and in a one-shot run nobody is there to ask',
    folder: 'website',
    says: 'Delete the outdated record of the staging database port for good.',
  },
} satisfies Record<string, Scene>

interface Hit {
  id: string
  summary: string
}

/** The results of the turn so far, newest last. */
function results(view: ModelView): ViewResult[] {
  const from = view.messages.findLastIndex(
    ({ role, text }) => role === 'user' && Object.values(SCENES).some(({ says }) => says === text),
  )
  return view.messages.slice(from + 1).flatMap((message) => message.results)
}

const call = (name: string, args: unknown): Reply => ({ toolCalls: [{ name, args }] })

const hitsOf = (result: ViewResult): Hit[] => (JSON.parse(result.text) as { hits: Hit[] }).hits

/** Plays the assistant: what it does next follows from what the person said and from what the tools answered. */
export function play(view: ModelView): Reply {
  const said = view.messages.map(({ text }) => text)
  const scene = Object.entries(SCENES).findLast(([, { says }]) => said.includes(says))?.[0]
  const done = results(view)
  const last = done.at(-1)
  switch (scene) {
    case 'remember':
      if (!last) {
        return call('remember', {
          summary: 'The staging database of the billing service listens on port 5433',
          tags: ['billing', 'staging'],
          askedAs: ['Which port does the staging database use?'],
          why: 'the person said so',
        })
      }
      return { text: `Remembered as ${(JSON.parse(last.text) as Hit).id}.` }
    case 'recall':
      if (!last) return call('recall', { query: 'staging database billing port' })
      if (done.length === 1) return call('open', { id: hitsOf(last)[0]?.id })
      return { text: `According to my memory: ${(JSON.parse(last.text) as Hit).summary}.` }
    case 'correct':
      if (!last) return call('recall', { query: 'staging database billing port' })
      if (done.length === 1) {
        return call('remember', {
          summary: 'The staging database of the billing service listens on port 6543',
          tags: ['billing', 'staging'],
          supersedes: [hitsOf(last)[0]?.id],
          why: 'it was moved, the person said so',
        })
      }
      return { text: 'Corrected; the old record stays readable and points to the new one.' }
    case 'delete':
      if (!last) return call('recall', { query: 'staging database billing port', include: ['deprecated'] })
      if (done.length === 1) {
        const old = hitsOf(last).find(({ summary }) => summary.includes('5433'))
        return call('delete', { id: old?.id, why: 'it is outdated' })
      }
      return { text: `That was not possible: ${last.text}` }
    default:
      return { text: 'I have no part in this story.' }
  }
}
