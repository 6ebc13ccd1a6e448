import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppOperation } from '../../src/contract/operation.ts'
import { roles, type Role } from '../../src/contract/roles.ts'
import { bodies, nobodys } from '../api/operation-bodies.ts'
import { readOperations } from '../support/app-operations.ts'
import type { AppSession } from '../support/app-session.ts'
import { openPeopleScene, type PeopleScene } from './people-scene.ts'
import { textIn } from '../support/read-as.ts'

/** The roles down to the last one allowed. */
const downTo = (last: Role): readonly Role[] => roles.slice(0, roles.indexOf(last) + 1)

/**
 * The role table of docs/members.md, act by act: the last role allowed, and the operations. Reading is open to every role except where
 * named.
 */
const table: [act: string, last: Role, operations: string][] = [
  ['see the inbox', 'editor', 'listInbox getInboxReport downloadAttachment'],
  [
    'acknowledge, message, triage, spam',
    'editor',
    `changeReport eraseReport hideCredit showCredit linkReportToIncident unlinkReportFromIncident markDuplicate markNotSpam markSpam messageReporter moveReport
    noteOnReport noteOutsideAnswer openIncidentFromReport prefillAdvisoryFromReport`,
  ],
  [
    'comment, assign, drafts of reports, evidence',
    'editor',
    'addComment assignIncident assignIncidents addTask completeTask saveDraft copyDraft copyDrafts showDraftPresence addReceipt',
  ],
  [
    'open an incident, record a determination',
    'editor',
    'openIncident dismissReview recordDetermination recordDeterminations withdrawDetermination',
  ],
  [
    'say when a measure was available, record a submission',
    'editor',
    'changeFacts recordSubmission recordSubmissions',
  ],
  ['judge findings', 'editor', 'decideFindings revokeDecision revokeBatch undoBatch'],
  [
    'upload, edit versions',
    'editor',
    `sendSbom sendVex activateSbom rematchSbom withdrawVexDocument restoreVexDocument dismissRefusal makeVersionCurrent retireVersion
    restoreVersion`,
  ],
  [
    'draft an advisory',
    'editor',
    `createAdvisory beginAdvisoryDraft saveAdvisoryDraft deleteAdvisoryDraft previewAdvisory prefillAdvisory prefillAdvisoryFromIncident
    changeAdvisoryTrackingId setAdvisoryDraftState`,
  ],
  // an applicable regime is added by whoever works on the incident; only leads can remove it (test/incidents/closing.large.test.ts)
  ['switch a regime on', 'editor', 'switchRegime'],
  [
    'families, their badge',
    'lead',
    'createFamily renameFamily archiveFamily restoreFamily deleteFamily switchBadgeOn switchBadgeOff changeProductFacts',
  ],
  ['approve a determination', 'lead', 'decideDetermination approveDeterminations'],
  ['change awareness', 'lead', 'changeAwareness decideAwareness withdrawAwareness'],
  ['correct, waive, tell outside of an advisory', 'lead', 'correctSubmission waiveReport recordInformed'],
  ['close and reopen an incident', 'lead', 'closeIncident reopenIncident'],
  ['publish an advisory', 'lead', 'publishAdvisory correctOutdatedAdvisories changeAdvisorySettings'],
  ['tokens of pipelines', 'lead', 'revokeToken'],
  ['see delivery problems', 'lead', 'listDestinations listDeliveries getDelivery listDeliveryProblems'],
  ['disclosure', 'lead', 'getDisclosureSettings changeDisclosureSettings checkSecurityTxt'],
  ['see the audit trail', 'lead', 'listAuditEvents listAuditActors getAuditEvent exportAuditEvents'],
  ['tokens of the workspace', 'admin', 'createToken'],
  [
    'destinations',
    'admin',
    'addDestination changeDestination checkDestinationUrl removeDestination renewDestinationSecret testDestination',
  ],
  ['company and regimes', 'admin', 'changeCompany changeRegimeSettings'],
  ['what is kept of replaced SBOMs', 'admin', 'changeSbomRetention'],
  ['members', 'admin', 'invite resendInvitation withdrawInvitation changeRole removeMember'],
  [
    'billing, close, reopen, delete',
    'owner',
    'getBilling openCheckout openPortal exportWorkspace getClosing closeWorkspace reopenWorkspace deleteWorkspace',
  ],
  [
    'how members sign in',
    'owner',
    'getSignInSettings changeSignInSettings setIssuer removeIssuer addDomain verifyDomain removeDomain',
  ],
  ['leave', 'viewer', 'leaveWorkspace'],
]

/** Acts where the body decides. */
const byBody: [act: string, last: Role, operation: string, body: unknown][] = [
  ...(['upload', 'results'] as const).map((kind): (typeof byBody)[number] => [
    `a token of the kind ${kind}`,
    'lead',
    'createToken',
    { name: 't', kind, familyId: nobodys, expiresInDays: null },
  ]),
  ['approve an advisory', 'lead', 'setAdvisoryDraftState', { revision: 1, state: 'approved' }],
]

const operations = new Map(
  [...(await readOperations())].filter(([, { path }]) => path.includes('/workspaces/:slug')),
)

const named = table.flatMap(([act, last, names]) =>
  names.split(/\s+/).map((name) => ({ name, act, allowed: downTo(last) })),
)
const isRead = ({ method, permission }: AppOperation) => method === 'GET' && permission === 'any_member'

let scene: PeopleScene
const sessions = new Map<Role, AppSession>()

beforeAll(async () => {
  scene = await openPeopleScene()
  for (const role of roles) sessions.set(role, await scene.signIn(role))
})
afterAll(() => scene.close())

async function ask(role: Role, operation: AppOperation, body?: unknown) {
  const { method, path } = operation
  const names = Array.from(path.matchAll(/:([a-z]+)/gi), ([, name = '']) => name)
  const params = { ...Object.fromEntries(names.map((name) => [name, nobodys])), slug: 'acme' }
  const answer = await sessions
    .get(role)
    ?.ask(operation, { params, body: body ?? bodies[`${method} ${path}`] })
  return { status: answer?.status, error: textIn(answer?.body, 'error') }
}

/** For an allowed role, a non-existent id gives an error other than "not allowed". */
async function answersOf(operation: AppOperation, body?: unknown): Promise<Role[]> {
  const allowed: Role[] = []
  for (const role of roles) {
    const { status, error } = await ask(role, operation, body)
    // leaving is undone at once
    await scene.database.db.updateTable('member').set({ removed_at: null }).execute()
    expect(status, `${role}: ${error}`).not.toBe(401)
    expect(status, `${role}: ${error}`).not.toBe(500)
    if (status === 403 && error === 'forbidden') continue
    allowed.push(role)
  }
  return allowed
}

describe('the table of roles', () => {
  it('names every operation of a workspace that is not open to every reader, once', () => {
    const needed = [...operations].filter(([, operation]) => !isRead(operation)).map(([name]) => name)
    expect(named.map(({ name }) => name).sort()).toEqual(needed.sort())
  })
})

describe('of the members of a workspace', () => {
  it.each(named)('$name ($act) is for $allowed', async ({ name, allowed }) => {
    expect(await answersOf(operationOf(name))).toEqual(allowed)
  })

  it.each(byBody)('%s is for those down to %s', async (_act, last, name, body) => {
    expect(await answersOf(operationOf(name), body)).toEqual(downTo(last))
  })

  const reads = [...operations].filter(([, operation]) => isRead(operation))
  it.each(reads)('%s is for every role', async (_name, operation) => {
    expect(await answersOf(operation)).toEqual(roles)
  })
})

function operationOf(name: string): AppOperation {
  const operation = operations.get(name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return operation
}
