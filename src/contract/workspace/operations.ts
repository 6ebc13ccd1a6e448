import { Type, type Static } from 'typebox'
import { WorkspaceDetail } from './shapes.ts'
import { InboxWaiting } from '../disclosure/shapes.ts'
import { UnusableContact } from '../disclosure/unusable-contact.ts'
import { IncidentCounts } from '../incidents/waiting.ts'
import { MailState } from '../notices/shapes.ts'
import { answer, operation } from '../operation.ts'
import { nullable, extended } from '../schema.ts'

/** A workspace as the member who asks has it before them. */
const OpenWorkspace = extended(WorkspaceDetail, {
  /** Entries of their bell that they have not read. */
  unread: Type.Number(),
  mail: MailState,
  /** Drills left out. */
  incidents: IncidentCounts,
  /** Reports that wait for an answer; none to those who do not see the inbox. */
  inbox: InboxWaiting,
  /** Contacts that nobody can write to; null for roles that do not correct them. */
  unusableContacts: nullable(Type.Array(UnusableContact)),
})
export type OpenWorkspace = Static<typeof OpenWorkspace>

/** 404 for everybody who is no member. */
export const getWorkspace = operation({
  method: 'GET',
  path: '/workspaces/:slug',
  permission: 'any_member',
  ownersOnlyWhenClosed: false,
  answer: answer(OpenWorkspace),
})
