/** What the person is asked, in English. */
import type { QuestionWords } from '../catalogue.ts'

export const questions: QuestionWords = {
  // As the host's own approval panel calls them.
  allow: 'Allow once',
  reject: 'Reject',
  notShown: ({ bytes, lines }) =>
    `${bytes} more bytes (${lines === 1 ? 'one line' : `${lines} lines`} in all) are not shown here; the answer covers them too.`,
  save: {
    create: 'Save a new user memory?',
    replace: 'Replace a user memory?',
    consent: 'Every later session and project will see it. Your consent is for this content alone.',
    name: 'Name',
    folder: 'Folder',
    type: 'Type',
    typeBefore: 'Type until now',
    summary: 'Summary',
    summaryBefore: 'Summary until now',
    summaryNew: 'New summary',
    details: 'Details',
    detailsSame: 'Details, unchanged',
    detailsNew: 'Details, in place of the old ones',
    detailsGone: (bytes) => `none; the ${bytes} bytes of old ones go`,
  },
  remove: {
    headline: ({ kind, summary, id }) => `Delete the ${kind} ${summary} (${id}) for good?`,
    why: 'Why',
    file: 'File',
    copy: 'Also its copy',
    cut: 'Also cut, as it has words from it',
    content: 'Content',
  },
}
