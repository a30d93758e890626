/**
 * Whether a record may be seen from a workspace when the config keeps workspaces apart: its own may, and so may
 * records that belong to none.
 */
export const sameWorkspace = (ofRecord: string | undefined, here: string | undefined): boolean =>
  ofRecord === undefined || ofRecord === here
