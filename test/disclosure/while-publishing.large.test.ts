import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openIncidentFromReport } from '../../src/contract/disclosure/operations.ts'
import {
  createAdvisory,
  prefillAdvisoryFromIncident,
  publishAdvisory,
} from '../../src/contract/advisories/operations.ts'
import type { Db, Tx } from '../../src/database/connection.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import type { AppSession } from '../support/app-session.ts'
import type { Answer } from '../support/http.ts'
import { addVersion } from '../support/rows.ts'
import { openDisclosureScene, stampIn, type DisclosureScene } from './disclosure-scene.ts'
import { anyText } from '../support/expected.ts'
import { tester } from '../support/actors.ts'

/** A publication waits for others and for the tests of its document. What it depends on may change meanwhile. */

let scene: DisclosureScene
let owner: AppSession
let lead: AppSession
let receipt: string
let advisory: string

beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
  lead = await scene.member(scene.acme, 'lead')
  const familyId = scene.acme.families[0]?.id ?? ''
  await addVersion(scene.database.db, { workspaceId: scene.acme.id, familyId }, '3.2')
})
afterAll(() => scene.close())

let reports = 0
beforeEach(async () => {
  reports += 1
  const credit = { credit: 'named', creditConsent: 'yes', creditName: 'Grace Finder' }
  const { number, path } = await scene.received(credit)
  receipt = path
  const families = [scene.acme.families[0]?.id ?? '']
  const incident = {
    kind: 'vulnerability' as const,
    title: 'In danger',
    vulnerability: `CVE-2025-5555${reports}`,
    families,
  }
  const { id } = await owner.call(openIncidentFromReport, { params: { number }, body: incident })
  const beginning = await owner.call(prefillAdvisoryFromIncident, { params: { incident: id } })
  const vulnerabilities = beginning.content.vulnerabilities.map((one) => ({ ...one, description: 'x' }))
  const content = { ...beginning.content, vulnerabilities }
  const made = await owner.call(createAdvisory, { body: { ...beginning, content } })
  advisory = made.id
})

/** Publishes while another session locks the feed, or the members, and releases the lock after `meanwhile`. */
async function publishAfter(
  session: AppSession,
  meanwhile: (tx: Tx) => Promise<void>,
  locked: 'advisory_feed' | 'member' = 'advisory_feed',
): Promise<Answer> {
  const held = Promise.withResolvers<undefined>()
  const changing = Promise.withResolvers<undefined>()
  const { db } = scene.database
  const holding = db.transaction().execute(async (tx) => {
    await tx
      .selectFrom(locked)
      .select('workspace_id')
      .where('workspace_id', '=', scene.acme.id)
      .forUpdate()
      .execute()
    held.resolve(undefined)
    await changing.promise
    await meanwhile(tx)
  })
  await held.promise
  const publishing = session.ask(publishAdvisory, {
    params: { advisory },
    body: {
      revision: 1,
      summary: 'New.',
    },
  })
  // it has passed every check at the start when it waits
  await expect.poll(() => isWaitingFor(locked), { timeout: 20_000 }).toBe(true)
  changing.resolve(undefined)
  await holding
  return publishing
}

async function isWaitingFor(table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${table}%`}`.execute(
    scene.database.db,
  )
  return rows.length > 0
}

async function isPublished(): Promise<boolean> {
  const versions = await scene.database.db
    .selectFrom('advisory_version')
    .select('id')
    .where('advisory_id', '=', advisory)
    .execute()
  return versions.length > 0
}

const setConsent = async (consent: 'yes' | 'no') => {
  const stamp = stampIn(await scene.get(`${receipt}?lang=en`))
  return (await scene.post(receipt, { fields: { stamp, action: 'consent', consent } })).status
}

it('publishes no name whose withdrawal was confirmed to the reporter', async () => {
  const answer = await publishAfter(owner, async () => {
    expect(await setConsent('no')).toBe(303)
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { fields: { 'acknowledgments.0': anyText } },
  })
  expect(await isPublished()).toBe(false)
  expect(await setConsent('yes')).toBe(303)
  expect((await publishAfter(owner, () => Promise.resolve())).status).toBe(200)
})

it('refuses whoever has lost the permission, or is no member any more', async () => {
  const changeLead = (tx: Db, change: { role?: 'editor' | 'lead'; removed_at?: Date | null }) =>
    tx
      .updateTable('member')
      .set(change)
      .where('workspace_id', '=', scene.acme.id)
      .where('person_id', 'in', (query) =>
        query.selectFrom('person').select('id').where('name', '=', 'lead more'),
      )
      .execute()
  for (const change of [{ role: 'editor' } as const, { removed_at: scene.clock.now }]) {
    const refused = await publishAfter(
      lead,
      async (tx) => {
        await changeLead(tx, change)
      },
      'member',
    )
    expect(refused).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(await isPublished()).toBe(false)
    await changeLead(scene.database.db, { role: 'lead', removed_at: null })
  }
})

it('asks for a second person where that was set meanwhile, and publishes only the revision that was seen', async () => {
  const setSecond = (isSet: boolean) => (tx: Tx) =>
    tx
      .updateTable('advisory_feed')
      .set({ second_person_publishes: isSet })
      .where('workspace_id', '=', scene.acme.id)
      .execute()
      .then(() => undefined)
  expect(await publishAfter(owner, setSecond(true))).toMatchObject({ status: 403 })
  const saved = (tx: Tx) =>
    tx
      .updateTable('advisory_draft')
      .set({ revision: 2 })
      .where('advisory_id', '=', advisory)
      .execute()
      .then(() => setSecond(false)(tx))
  expect(await publishAfter(owner, saved)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  expect(await isPublished()).toBe(false)
})

it('refuses in a workspace that has become read-only', async () => {
  const { db } = scene.database
  const answer = await publishAfter(owner, () =>
    setPlan(db, {
      workspaceId: scene.acme.id,
      plan: 'free',
      until: null,
      actor: tester,
      now: scene.clock.now,
    }),
  )
  expect(answer).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
  expect(await isPublished()).toBe(false)
})
