import type { WorkspaceDetail } from './shapes.ts'
import type { InboxWaiting } from '../disclosure/shapes.ts'
import type { UnusableContact } from '../disclosure/unusable-contact.ts'
import type { IncidentCounts } from '../incidents/waiting.ts'
import type { MailState } from '../notices/shapes.ts'
import { answer, operation } from '../operation.ts'

/** A workspace as the member who asks has it before them. */
export type OpenWorkspace = WorkspaceDetail & {
  /** Entries of their bell that they have not read. */
  unread: number
  mail: MailState
  /** Drills left out. */
  incidents: IncidentCounts
  /** Reports that wait for an answer; none to those who do not see the inbox. */
  inbox: InboxWaiting
  /** Contacts that nobody can write to; null for roles that do not correct them. */
  unusableContacts: UnusableContact[] | null
}

/** 404 for everybody who is no member. */
export const getWorkspace = operation({
  method: 'GET',
  path: '/workspaces/:slug',
  permission: 'any_member',
  ownersOnlyWhenClosed: false,
  answer: answer<OpenWorkspace>(),
})
