import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workspaceStates, type Plan, type WorkspaceState } from '../../src/contract/workspace/plans.ts'
import { createToken, revokeToken, type NewToken } from '../../src/contract/tokens/operations.ts'
import { testDestination } from '../../src/contract/alerts/operations.ts'
import { recordDetermination } from '../../src/contract/incidents/act-operations.ts'
import { createFamily } from '../../src/contract/products/operations.ts'
import { changeCompany } from '../../src/contract/workspace/company-operations.ts'
import { listIncidents } from '../../src/contract/incidents/operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { effectiveState, isMonitored, monitored } from '../../src/workspace/state.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { DependencyTrack } from '../support/dependency-track.ts'
import { type Answer, call, endBoth } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { sampleVex } from '../support/sample-vex.ts'
import { textWith } from '../support/expected.ts'
import { readAs } from '../support/read-as.ts'
import { NewDestination } from '../../src/contract/alerts/shapes.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let viewer: AppSession
let serial = 0

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
  viewer = await AppSession.signIn(http.url, acme.members.viewer)
})
afterAll(() => endBoth(http, store))

/** How a workspace gets into a state: `free` by the end of its trial, as most do. */
const plans: Record<
  WorkspaceState,
  {
    plan: Plan
    trial_ends_at?: Date
    closed_at?: Date
    suspended_at?: Date
    moving_at?: Date
    moved_to?: string
  }
> = {
  trial: { plan: 'trial', trial_ends_at: later(60) },
  starter: { plan: 'starter' },
  core: { plan: 'core' },
  plus: { plan: 'plus' },
  free: { plan: 'trial', trial_ends_at: later(-60) },
  closed: { plan: 'core', closed_at: later(-60) },
  suspended: { plan: 'plus', suspended_at: later(-60) },
  moving: { plan: 'core', moving_at: later(-60) },
  moved: { plan: 'core', moving_at: later(-60), moved_to: 'https://new.example' },
}

const here = { moving_at: null, moved_to: null }

async function bring(state: WorkspaceState): Promise<void> {
  await store.db
    .updateTable('workspace')
    .set({
      trial_ends_at: null,
      closed_at: null,
      paid_until: null,
      suspended_at: null,
      ...here,
      ...plans[state],
    })
    .where('id', '=', acme.id)
    .execute()
  await store.db.deleteFrom('token_use').execute()
}

const bytes = () => sampleSbom({ components: 2, serial: (serial += 1) })
const upload = (path: string, body: Uint8Array | string) =>
  call(`${http.url}/api/v1/${path}`, { method: 'POST', token: acme.families[0]?.upload ?? '', body })
const connector = () =>
  new DependencyTrack('4.13', {
    url: http.url,
    token: acme.families[0]?.upload ?? '',
  })
const hook = { kind: 'webhook', name: 'hook', url: 'https://a.acme.example/', events: ['report.received'] }
const destinations = (method: 'GET' | 'POST' | 'DELETE', id = '', body?: unknown) =>
  call(`${http.url}/api/v1/alert-destinations${id}`, {
    method,
    token: acme.workspaceToken,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

async function openIncident(): Promise<string> {
  const actor = { kind: 'person', id: acme.members.owner.id, name: 'owner' } as const
  const title = `Stolen signing key ${(serial += 1)}`
  const act = { workspaceId: acme.id, actor, now: testNow }
  return (await openManually(store.db, act, { kind: 'severe_incident', title, families: [] })).id
}

/** A destination that exists whatever the plan. */
async function storedDestination(): Promise<string> {
  await bring('core')
  return readAs(NewDestination, (await destinations('POST', '', hook)).body).id
}

async function storedToken(): Promise<string> {
  await bring('core')
  const familyId = acme.families[0]?.id ?? null
  const body: NewToken = { name: 'ci', kind: 'upload', familyId, expiresInDays: 30 }
  return (await owner.call(createToken, { body })).id
}

const prepare = { destination: storedDestination, token: storedToken, incident: openIncident }
type Row = {
  action: string
  /** By state, in the order of `workspaceStates`; suspended as `free`. */
  statuses: [number, number, number, number, number, number]
  /** In `moving` and `moved`; default: as `free`. */
  leaving?: readonly [number, number]
  needs?: keyof typeof prepare
  act: (prepared: string) => Promise<Answer>
  /** Further fields in the answer of a state. */
  says?: Partial<Record<WorkspaceState, object>>
}

const lapsed = {
  free: { error: 'billing_lapsed', message: textWith('read-only') },
  closed: { error: 'billing_lapsed', message: textWith('closed') },
  suspended: { error: 'billing_lapsed', message: textWith('operator') },
  moving: { error: 'billing_lapsed', message: textWith('being moved') },
}

/** trial, starter, core, plus, free, closed */
const rows: Row[] = [
  {
    action: 'SBOM upload',
    statuses: [202, 202, 202, 202, 402, 402],
    leaving: [402, 401],
    says: {
      ...lapsed,
      moved: { error: 'unauthorized', message: textWith('https://new.example') },
    },
    act: () => upload('sboms', bytes()),
  },
  {
    action: 'VEX upload',
    statuses: [202, 202, 202, 202, 402, 402],
    leaving: [402, 401],
    says: lapsed,
    act: () => upload('vex', sampleVex((serial += 1))),
  },
  {
    action: 'connector: a BOM',
    statuses: [202, 202, 202, 202, 402, 402],
    leaving: [402, 401],
    says: lapsed,
    act: () => connector().bom('BOM_PROCESSED', bytes()),
  },
  {
    action: 'connector: test notification',
    statuses: [200, 200, 200, 200, 200, 200],
    leaving: [200, 401],
    act: () => connector().test('BOM_PROCESSED'),
    says: {
      free: { message: textWith('read-only') },
      closed: { message: textWith('closed') },
    },
  },
  {
    action: 'connector: another group',
    statuses: [202, 202, 202, 202, 202, 202],
    leaving: [202, 401],
    act: () => connector().other('NEW_VULNERABILITY'),
  },
  {
    action: 'list destinations',
    statuses: [200, 200, 200, 200, 200, 200],
    leaving: [200, 401],
    act: () => destinations('GET'),
  },
  {
    action: 'add a destination',
    statuses: [201, 403, 201, 201, 402, 402],
    leaving: [402, 401],
    act: () => destinations('POST', '', hook),
    says: { starter: { error: 'plan_required' }, ...lapsed },
  },
  {
    action: 'remove a destination',
    needs: 'destination',
    statuses: [204, 204, 204, 204, 402, 402],
    leaving: [402, 401],
    says: lapsed,
    act: (id) => destinations('DELETE', `/${id}`),
  },
  {
    action: 'Send a test',
    needs: 'destination',
    statuses: [201, 403, 201, 201, 402, 402],
    act: (id) => owner.ask(testDestination, { params: { destination: id } }),
  },
  {
    action: 'record a determination',
    needs: 'incident',
    statuses: [201, 201, 201, 201, 201, 402],
    leaving: [402, 402],
    says: { closed: lapsed.closed },
    act: (incident) =>
      owner.ask(recordDetermination, {
        params: { incident },
        body: { value: 'severe_incident', reasoning: 'What was known and why it was decided so.' },
      }),
  },
  {
    action: 'create a family',
    statuses: [201, 201, 201, 201, 402, 402],
    says: lapsed,
    act: () => owner.ask(createFamily, { body: { name: `Pump ${(serial += 10)}` } }),
  },
  {
    action: 'change the company',
    statuses: [200, 200, 200, 200, 402, 402],
    act: () => owner.ask(changeCompany, { body: { timeZone: 'UTC' } }),
  },
  {
    action: 'revoke a token',
    needs: 'token',
    statuses: [204, 204, 204, 204, 204, 402],
    leaving: [402, 402],
    act: (id) => owner.ask(revokeToken, { params: { token: id } }),
  },
  {
    action: 'pages, for owners',
    statuses: [200, 200, 200, 200, 200, 200],
    act: () => owner.ask(listIncidents),
  },
  {
    action: 'pages, for others',
    statuses: [200, 200, 200, 200, 200, 402],
    act: () => viewer.ask(listIncidents),
    says: { closed: { message: 'The workspace is closed. An owner can reopen it.' } },
  },
  {
    action: 'what state it is in, for all',
    statuses: [200, 200, 200, 200, 200, 200],
    act: () => viewer.ask(getWorkspace),
  },
  ...(
    [
      ['the feed', '/csaf/acme/provider-metadata.json', 200],
      ['acknowledgments', '/disclose/acme/acknowledgments', 200],
      ['security.txt', '/disclose/acme/security.txt', 404],
      ['the policy and report form', '/disclose/acme', 404],
    ] as const
  ).map(([action, path, closed]): Row => ({
    action,
    statuses: [200, 200, 200, 200, 200, closed],
    leaving: [200, 404],
    act: () => call(`${http.url}${path}`),
  })),
]

const expected = ({ statuses, leaving }: Row) => {
  const all = [...statuses, statuses[4], ...(leaving ?? [statuses[4], statuses[4]])]
  return workspaceStates.map((state, index) => [state, all[index] ?? 0] as const)
}

describe.each(rows)('$action', (row) => {
  const { needs, act, says } = row
  it.each(expected(row))('in %s: %s', async (state, status) => {
    const prepared = needs === undefined ? '' : await prepare[needs]()
    await bring(state)
    const answer = await act(prepared)
    expect({ status: answer.status, body: answer.status === status ? undefined : answer.body }).toEqual({
      status,
      body: undefined,
    })
    const said = says?.[state]
    if (said !== undefined) expect(answer.body).toMatchObject(said)
  })
})

describe('the state in a statement', () => {
  const at = [null, later(-1), testNow, later(1)]
  const stored = (['trial', 'starter', 'core', 'plus', 'free'] as const).flatMap((plan) =>
    at.flatMap((trial_ends_at) =>
      at.flatMap((paid_until) =>
        at.flatMap((closed_at) =>
          at.flatMap((suspended_at) =>
            [null, later(-1)].map((moving_at) => ({
              plan,
              trial_ends_at,
              paid_until,
              closed_at,
              suspended_at,
              moving_at,
              moved_to: null,
            })),
          ),
        ),
      ),
    ),
  )

  it('is the one that the table of capabilities decides', async () => {
    for (const dates of stored) {
      await store.db.updateTable('workspace').set(dates).where('id', '=', acme.id).execute()
      const { rows: found } = await sql<{ is: boolean }>`
        select ${monitored('w', testNow)} as is from workspace w where w.id = ${acme.id}`.execute(store.db)
      const state = effectiveState(dates, testNow)
      expect(found[0]?.is, JSON.stringify(dates)).toBe(isMonitored(dates, testNow))
      expect(isMonitored(dates, testNow)).toBe(!['free', 'closed', 'suspended', 'moving'].includes(state))
    }
  })
})
