/**
 * Which workspace a folder belongs to, from what was seen of it. Pure.
 *
 * The first evidence that is found decides: remotes, then root commits, then the folder. A root commit and a folder are
 * shared by what has nothing to do with each other (repositories made from one template, a path that is used again), so
 * they join nothing that two different remotes keep apart.
 */
import { pathOfKey, type Remote } from '../files/remote.ts'
import type { Evidence, Seen } from '../files/workspace.ts'
import type { Workspace } from '../files/workspace-register.ts'

/** Of each kind so many are kept, the newest: every clone in a temporary folder leaves one. */
const KEPT = 20

const KINDS = ['remote:', 'root:', 'folder:'] as const
type Kind = (typeof KINDS)[number]

const of = ({ evidence }: Workspace, kind: Kind): string[] =>
  evidence.flatMap((one) => (one.startsWith(kind) ? [one.slice(kind.length)] : []))

const has = ({ evidence }: Workspace, kind: Kind, value: string): boolean =>
  evidence.includes(`${kind}${value}`)

/** Whether a remote leads to a folder of the workspace itself, as that of a clone on one machine does. */
const leadsInto = (remote: Remote, workspace: Workspace): boolean => has(workspace, 'folder:', remote.key)

/** Where both have remotes: whether they have one in common, by whichever host it is reached. Undefined where one has none. */
function share(remotes: readonly Remote[], workspace: Workspace): boolean | undefined {
  const mine = remotes.map(({ key }) => pathOfKey(key))
  const theirs = of(workspace, 'remote:').map(pathOfKey)
  if (mine.length === 0 || theirs.length === 0) return undefined
  return mine.some((path) => theirs.includes(path))
}

/** The workspace that a remote of the folder's own is known for. */
export function byRemote(workspaces: readonly Workspace[], { own }: Seen): Workspace | undefined {
  for (const remote of own) {
    const found =
      workspaces.find((one) => has(one, 'remote:', remote.key)) ??
      workspaces.find((one) => leadsInto(remote, one))
    if (found) return found
  }
  return undefined
}

function byRoot(workspaces: readonly Workspace[], { own, roots }: Evidence): Workspace | undefined {
  const candidates = workspaces.filter((one) => roots.some((root) => has(one, 'root:', root)))
  const sharing = candidates.find((one) => share(own, one) === true)
  if (sharing) return sharing
  const open = candidates.filter((one) => share(own, one) === undefined)
  // Of several that were made from one template none is meant more than another.
  return open.length === 1 ? open[0] : undefined
}

/** The workspace that a folder belongs to; undefined where nothing of it is known. */
export const matching = (workspaces: readonly Workspace[], evidence: Evidence): Workspace | undefined =>
  byRemote(workspaces, evidence) ??
  byRoot(workspaces, evidence) ??
  workspaces.find((one) => has(one, 'folder:', evidence.folder) && share(evidence.remotes, one) !== false)

/**
 * The register with what was seen of a folder added to a workspace, which is made where there is none of that id.
 * @returns undefined where all of it is known already.
 */
export function withEvidence(
  workspaces: readonly Workspace[],
  id: string,
  { own, roots, folder }: Evidence,
): Workspace[] | undefined {
  const workspace = workspaces.find((one) => one.id === id) ?? { id, evidence: [] }
  const isKnownElsewhere = ({ key }: Remote) =>
    workspaces.some((one) => one.id !== id && has(one, 'remote:', key))
  const remotes = own.filter((one) => !leadsInto(one, workspace) && !isKnownElsewhere(one))
  const fresh = [
    ...remotes.map(({ key }) => `remote:${key}`),
    ...roots.map((root) => `root:${root}`),
    `folder:${folder}`,
  ].filter((one) => !workspace.evidence.includes(one))
  if (fresh.length === 0 && workspaces.includes(workspace)) return undefined
  const next = { ...workspace, evidence: newestEvidence([...workspace.evidence, ...fresh]) }
  // A folder lies in one workspace: the last that was seen there.
  const others = workspaces
    .filter((one) => one.id !== id)
    .map((one) =>
      has(one, 'folder:', folder)
        ? { ...one, evidence: one.evidence.filter((each) => each !== `folder:${folder}`) }
        : one,
    )
  return [...others, next]
}

function newestEvidence(evidence: readonly string[]): string[] {
  const kindOf = (one: string) => KINDS.find((kind) => one.startsWith(kind))
  return evidence.filter((one, at) => {
    const kind = kindOf(one)
    const later = evidence.slice(at + 1).filter((other) => kindOf(other) === kind)
    return kind === undefined || later.length < KEPT
  })
}

/** Whether more of a folder is worth knowing once its remote has told the workspace: a root commit, for the day that the remote goes. */
export const lacksRoots = (workspace: Workspace): boolean => of(workspace, 'root:').length === 0
