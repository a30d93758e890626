/**
 * What the self-history may take of every request, in characters as a person counts them. The figures belong together
 * and are no tunables: they add up to what the part may cost when it is full.
 */

/** The whole part when full, the label of its message included. */
export const SELF_HISTORY_CHARACTERS = 2_600

/** Summaries of identity together: a page that says who someone is, and not a diary. */
export const IDENTITY_CHARACTERS = 800
/** The lines that they stand in, ids included: many very short entries would cost more in ids than in text. */
export const IDENTITY_BLOCK_CHARACTERS = 1_060
/** The last decisions: what was settled lately is what the next step rests on. */
export const DECISIONS = 3
/** Experiences that stand in view: enough to warn, few enough to be read. */
export const EXPERIENCES = 5
/** The lines of decisions and experiences together, dates and ids included: about 147 a line when all are long. */
export const BLOCK_CHARACTERS = 1_180

/** An id is at most 64 characters; a name made of invisible letters, which are shown as escapes, is cut. */
export const ID_CHARACTERS = 64
