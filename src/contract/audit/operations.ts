import {
  auditActionNames,
  auditObjectKinds,
  tableFormats,
  AuditActors,
  AuditEvent,
  AuditPage,
} from './shapes.ts'
import { actorKinds } from '../roles.ts'
import { answer, operation } from '../operation.ts'

const audit = '/workspaces/:slug/audit'

/** `actor`: the id of a person or token; `object`: an id; `from` and `until`: days as 2026-01-31 in the workspace's time zone. */
const filter = {
  actor: 'id',
  actorKind: actorKinds,
  action: auditActionNames,
  objectKind: auditObjectKinds,
  object: 'text',
  from: 'text',
  until: 'text',
} as const

/** The newest first: acts in the workspace, and sign-ins of its members while they are members. */
export const listAuditEvents = operation({
  method: 'GET',
  path: audit,
  permission: 'see_audit',
  query: { ...filter, cursor: 'text' },
  answer: answer(AuditPage),
})

/** One event, wherever in the trail it is. `event`: its number. */
export const getAuditEvent = operation({
  method: 'GET',
  path: `${audit}/events/:event`,
  permission: 'see_audit',
  textParameters: ['event'],
  answer: answer(AuditEvent),
})

export const listAuditActors = operation({
  method: 'GET',
  path: `${audit}/actors`,
  permission: 'see_audit',
  answer: answer(AuditActors),
})

/** What the list shows, as a file. Making it is recorded, and the record is the first row. CSV by default. */
export const exportAuditEvents = operation({
  method: 'GET',
  path: `${audit}/export`,
  permission: 'see_audit',
  query: { ...filter, format: tableFormats },
  answer: 'file',
})
