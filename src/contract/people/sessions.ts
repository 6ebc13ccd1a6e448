import type { Role } from '../roles.ts'
import type { WorkspaceState } from '../workspace/plans.ts'

export type Session = {
  /** `timeZone`: by whose clock they see times; null: the workspace's. */
  person: { id: string; name: string; email: string; timeZone: string | null }
  workspaces: { slug: string; companyName: string; role: Role; state: WorkspaceState }[]
  /** The workspace whose company opened the session with its own sign-in, and which is its only one; null: the person's own way in. */
  openedBy: string | null
}

/** `open` while the installation has no member yet and the link is the newest one. */
export type SetupState = { open: boolean }

/** A browser that a person is signed in with. */
export type SessionRow = {
  id: string
  startedAt: string
  lastUsedAt: string
  /** Where the person signed in from; null: not recorded. */
  address: string | null
  /** The one that asks. */
  isThis: boolean
}
