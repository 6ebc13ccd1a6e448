import { bodies, titledContent, nobodys } from '../../../api/operation-bodies.ts'

const workspace = '/api/app/workspaces/:slug'
const incidents = `${workspace}/incidents`
const report = `${workspace}/inbox/:number`
const advisories = `${workspace}/advisories`

const broken = { kind: 'severe_incident', title: 'Broken' }
const product = { versionId: nobodys, familyId: nobodys, family: 'Pump', version: '1.0' }
const naming = { ...titledContent, products: [product] }
const linked = (kind: string) => ({ content: titledContent, links: [{ kind, objectId: nobodys }] })

/** A body with a non-existent id, and the kind of thing in the other workspace that replaces it. */
export type NamingBody = { route: string; body: unknown; names: string }

const of = (route: string, names: string, body: unknown = bodies[route]): NamingBody => ({
  route,
  body,
  names,
})

/** Every body that can name something of a workspace, for each kind of thing. */
export const namingBodies: readonly NamingBody[] = [
  of(`POST ${workspace}/tokens`, 'family', {
    name: 't',
    kind: 'upload',
    familyId: nobodys,
    expiresInDays: null,
  }),
  of(`POST ${workspace}/decisions`, 'finding'),
  of(`PATCH ${workspace}/disclosure`, 'family', { families: [nobodys] }),
  of(`POST ${incidents}`, 'family', { ...broken, families: [nobodys] }),
  of(`POST ${incidents}/:incident/assignee`, 'person', { person: nobodys }),
  of(`POST ${incidents}/:incident/comments`, 'person', { text: 'Look.', mentions: [nobodys] }),
  of(`POST ${incidents}/:incident/reports/:report/draft/copy`, 'report'),
  of(`POST ${incidents}/bulk/assignee`, 'incident'),
  of(`POST ${incidents}/bulk/determinations`, 'incident'),
  of(`POST ${incidents}/bulk/approvals`, 'incident'),
  of(`POST ${incidents}/bulk/submissions`, 'incident'),
  of(`POST ${incidents}/bulk/drafts`, 'incident'),
  of(`PATCH ${report}`, 'family', { familyId: nobodys }),
  of(`POST ${report}/incidents`, 'family', { ...broken, families: [nobodys] }),
  of(`POST ${report}/incident-links`, 'incident'),
  of(`POST ${advisories}`, 'version', { content: naming }),
  of(`POST ${advisories}`, 'incident', linked('incident')),
  of(`POST ${advisories}`, 'reportRow', linked('inbox_report')),
  of(`PATCH ${advisories}/:advisory/draft`, 'version', { revision: 1, content: naming }),
  of(`POST ${advisories}/:advisory/preview`, 'version', { content: naming }),
]
