import { emptyContent } from '../../src/contract/advisories/empty-content.ts'
import { signInBodies } from '../sign-in/bodies.ts'
import { companyBodies } from '../support/company-bodies.ts'
import { testNow } from '../support/clock.ts'

/** An id that does not exist. */
export const nobodys = '00000000-0000-7000-8000-00000000dead'

const destination = {
  kind: 'webhook',
  name: 'hook',
  url: 'https://hooks.acme.example/',
  events: ['report.received'],
}

export const titledContent = { ...emptyContent, title: 'Overflow' }

const advisory = '/api/app/workspaces/:slug/advisories/:advisory'
const incident = '/api/app/workspaces/:slug/incidents/:incident'
const reasoning = 'What was known and why it was decided so.'
const broken = { kind: 'severe_incident', title: 'Broken', families: [] }

const member = '/api/app/workspaces/:slug/members/:person'

/** A valid body for each workspace operation that takes one, by method and path. */
export const bodies: Record<string, unknown> = {
  [`PATCH ${member}`]: { role: 'editor' },
  [`POST ${member}/remove`]: {},
  'POST /api/app/workspaces/:slug/invitations': { email: 'new@acme.example', role: 'editor' },
  'PATCH /api/app/workspaces/:slug/incidents/:incident/reports/:report/draft': { revision: 0, values: {} },
  'POST /api/app/workspaces/:slug/incidents/:incident/reports/:report/draft/copy': {
    revision: 0,
    from: nobodys,
  },
  'POST /api/app/workspaces/:slug/incidents/:incident/reports/:report/draft/presence': { isWriting: true },
  'POST /api/app/workspaces/:slug/incidents/:incident/reports/:report/submissions': {
    kind: 'submission',
    submittedAt: testNow.toISOString(),
    channel: 'Portal',
  },
  'PATCH /api/app/workspaces/:slug/incidents/:incident/submissions/:submission': {
    submittedAt: testNow.toISOString(),
    reason: 'It was typed wrongly before.',
  },
  'POST /api/app/workspaces/:slug/incidents/:incident/reports/:report/waiver': {
    reason: 'It is unlikely to be a risk to people.',
  },
  'POST /api/app/workspaces/:slug/advisories': { content: titledContent },
  'POST /api/app/workspaces/:slug/advisories/corrections': { summary: 'A new name.' },
  [`PATCH ${advisory}/draft`]: { revision: 1, content: titledContent },
  [`POST ${advisory}/draft/state`]: { revision: 1, state: 'in_review' },
  [`POST ${advisory}/tracking-id`]: { trackingId: 'A-1' },
  [`POST ${advisory}/preview`]: { content: titledContent },
  [`POST ${advisory}/publish`]: { revision: 1, summary: 'First.' },
  'PATCH /api/app/workspaces/:slug/advisory-settings': { secondPersonPublishes: true },
  'POST /api/app/workspaces/:slug/destinations': destination,
  'POST /api/app/workspaces/:slug/destinations/check-url': { kind: 'webhook', url: destination.url },
  'PATCH /api/app/workspaces/:slug/destinations/:destination': { enabled: false },
  ...signInBodies,
  'POST /api/app/workspaces/:slug/families': { name: 'New' },
  'PATCH /api/app/workspaces/:slug/families/:family': { name: 'Renamed' },
  'PATCH /api/app/workspaces/:slug/families/:family/product-facts': {
    userContact: 'support@acme.example',
  },
  'PATCH /api/app/workspaces/:slug/families/:family/sbom-retention': {
    keep: 'last',
    amount: 5,
    isCraLifted: false,
  },
  'DELETE /api/app/workspaces/:slug/families/:family': { confirmName: 'Pump 1' },
  'POST /api/app/workspaces/:slug/tokens': {
    name: 't',
    kind: 'workspace',
    familyId: null,
    expiresInDays: null,
  },
  'POST /api/app/workspaces/:slug/inbox/:number/messages': { text: 'Hello.' },
  'POST /api/app/workspaces/:slug/inbox/:number/outside-answers': { text: 'By telephone.' },
  'POST /api/app/workspaces/:slug/inbox/:number/notes': { text: 'Look here.' },
  'POST /api/app/workspaces/:slug/inbox/:number/state': { from: 'acknowledged', to: 'investigating' },
  'PATCH /api/app/workspaces/:slug/inbox/:number': { creditConsent: false },
  'POST /api/app/workspaces/:slug/inbox/:number/duplicate': { of: 2 },
  'POST /api/app/workspaces/:slug/inbox/:number/credit': { name: 'Ada', link: null },
  'POST /api/app/workspaces/:slug/inbox/:number/erase': { confirmNumber: 1 },
  'POST /api/app/workspaces/:slug/inbox/:number/incidents': broken,
  'POST /api/app/workspaces/:slug/inbox/:number/incident-links': { incident: nobodys },
  'PATCH /api/app/workspaces/:slug/disclosure': { acknowledgeDays: 5 },
  ...companyBodies,
  'PATCH /api/app/workspaces/:slug/regimes': { dora: true },
  'POST /api/app/workspaces/:slug/incidents': broken,
  [`POST ${incident}/determinations`]: { value: 'severe_incident', reasoning },
  [`POST ${incident}/determinations/:determination/decision`]: { approve: true },
  [`POST ${incident}/awareness`]: { awareAt: '2025-12-31T00:00:00.000Z', reason: reasoning },
  [`POST ${incident}/awareness/:change/decision`]: { approve: true },
  [`PATCH ${incident}`]: { title: 'Renamed' },
  [`POST ${incident}/assignee`]: { person: null },
  [`POST ${incident}/comments`]: { text: 'Look here.' },
  [`POST ${incident}/regimes`]: { regime: 'gdpr', active: true },
  [`POST ${incident}/informed`]: { who: 'users', how: 'By mail.' },
  [`POST ${incident}/tasks`]: { title: 'Answer the CSIRT' },
  [`POST ${incident}/close`]: { reason: 'Done.' },
  [`POST ${incident}/reopen`]: { reason: reasoning, as: 'same_facts' },
  'POST /api/app/workspaces/:slug/incidents/bulk/assignee': { incidents: [nobodys], person: null },
  'POST /api/app/workspaces/:slug/incidents/bulk/determinations': {
    incidents: [nobodys],
    value: 'not_exploited',
    reasoning,
  },
  'POST /api/app/workspaces/:slug/incidents/bulk/approvals': { incidents: [nobodys] },
  'POST /api/app/workspaces/:slug/incidents/bulk/submissions': {
    incidents: [nobodys],
    regime: 'cra',
    report: 'early_warning',
    kind: 'submission',
    submittedAt: testNow.toISOString(),
    channel: 'Portal',
  },
  'POST /api/app/workspaces/:slug/incidents/bulk/drafts': {
    from: nobodys,
    regime: 'cra',
    report: 'early_warning',
    incidents: [{ incident: nobodys, revision: 0 }],
  },
  'POST /api/app/workspaces/:slug/incident-review/:finding/dismiss': { reason: reasoning },
  'POST /api/app/workspaces/:slug/decisions': {
    findingIds: [nobodys],
    verdict: 'affected',
    everyVersion: false,
  },
}
