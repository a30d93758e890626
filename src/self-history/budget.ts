/**
 * What the self-history may take of every request, in characters as a person counts them. The figures belong together
 * and are no tunables: they add up to what the part may cost when it is full.
 */

/** The whole part when full, with the lines that its message puts around it. */
export const SELF_HISTORY_CHARACTERS = 3_000
/** What of that is kept free for those lines: the label, what it says of the data, and the end. */
export const AROUND_CHARACTERS = 230

/** Summaries of identity together: a page that says who someone is, and not a diary. */
export const IDENTITY_CHARACTERS = 800
/** Entries of identity: with ids of ours so many fit if their texts do. */
export const IDENTITY_ENTRIES = 24
/** The lines that they stand in, ids included: with long hand-chosen names the ids would cost more than the text. */
export const IDENTITY_BLOCK_CHARACTERS = 1_440
/** The last decisions: what was settled lately is what the next step rests on. */
export const DECISIONS = 3
/** Experiences that stand in view: enough to warn, few enough to be read. */
export const EXPERIENCES = 5
/**
 * The line of a decision or an experience, date and id included: leaves 110 characters of the summary beside an id of
 * ours. A longer summary is cut in view and whole when it is opened.
 */
export const LINE_CHARACTERS = 136

/** An id is at most 64 characters; a name made of invisible letters, which are shown as escapes, is cut. */
export const ID_CHARACTERS = 64
