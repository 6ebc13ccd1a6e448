import { Type, type Static } from 'typebox'
import { time, nullable } from '../schema.ts'
import { roles } from '../roles.ts'
import { workspaceStates } from '../workspace/plans.ts'

export const Session = Type.Object({
  /** `timeZone`: by whose clock they see times; null: the workspace's. */
  person: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    timeZone: nullable(Type.String()),
  }),
  workspaces: Type.Array(
    Type.Object({
      slug: Type.String(),
      companyName: Type.String(),
      role: Type.Enum(roles),
      state: Type.Enum(workspaceStates),
    }),
  ),
  /** The workspace whose company opened the session with its own sign-in, and which is its only one; null: the person's own way in. */
  openedBy: nullable(Type.String()),
})
export type Session = Static<typeof Session>

/** `open` while the installation has no member yet and the link is the newest one. */
export const SetupState = Type.Object({ open: Type.Boolean() })
export type SetupState = Static<typeof SetupState>

/** A browser that a person is signed in with. */
export const SessionRow = Type.Object({
  id: Type.String(),
  startedAt: time,
  lastUsedAt: time,
  /** Where the person signed in from; null: not recorded. */
  address: nullable(Type.String()),
  /** The one that asks. */
  isThis: Type.Boolean(),
})
export type SessionRow = Static<typeof SessionRow>
