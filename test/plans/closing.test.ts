import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeVersionCurrent } from '../../src/contract/products/operations.ts'
import {
  closeWorkspace,
  deleteWorkspace,
  getClosing,
  reopenWorkspace,
} from '../../src/contract/workspace/closing-operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { fillWorkspace } from '../reliability/scenarios/isolation/fill-workspace.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth } from '../support/http.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { textWith } from '../support/expected.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let now = testNow

let { store, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, umbrella, owner } = await openAppScene({ now: () => now }))
  for (const workspace of [acme, umbrella]) await fill(workspace)
})
afterAll(() => endBoth(http, store))

/** Some of everything, with rows that refer to each other: an advisory and its version in force, a family and its current version. */
async function fill(workspace: TestWorkspace): Promise<void> {
  const ids = await fillWorkspace({ url: http.url, db: store.db, workspace })
  const session = await AppSession.signIn(http.url, workspace.members.owner)
  await session.call(makeVersionCurrent, { params: { family: ids['family'], version: ids['version'] } })
  await drain(store.db, now)
}

const days = (count: number) => new Date(testNow.getTime() + count * 24 * 3_600_000)
const password = 'a long enough password'
const confirmed = { confirmName: 'acme company', password }

/** Rows of a workspace by table, and rows that mention it anywhere. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('job', 'schema_migration')`.execute(store.db)
  const counts: Record<string, number> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} t where t::text like ${`%${workspaceId}%`}`.execute(
      store.db,
    )
    if ((rows[0]?.count ?? 0) > 0) counts[name] = rows[0]?.count ?? 0
  }
  return counts
}

describe('closing', () => {
  it('asks for the name of the company and the password', async () => {
    expect(
      await owner.refused(closeWorkspace, { body: { ...confirmed, confirmName: 'acme' } }),
    ).toMatchObject({
      status: 400,
      body: { fields: { confirmName: 'This is not the name of the company.' } },
    })
    expect(
      await owner.refused(closeWorkspace, { body: { ...confirmed, password: 'a wrong enough password' } }),
    ).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password.' } },
    })
    expect(await owner.call(getWorkspace)).toMatchObject({ state: 'core' })
  })

  it('has a subscription end with its period', async () => {
    const subscription = { customer_id: 'cus_1', subscription_id: 'sub_1', status: 'active' } as const
    await store.db
      .insertInto('billing_subscription')
      .values({ workspace_id: acme.id, ...subscription, period_ends_at: days(20), fetched_at: now })
      .execute()
    await owner.call(closeWorkspace, { body: confirmed })
    const jobs = await store.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'end_subscription')
      .where('state', '=', 'waiting')
      .execute()
    expect(jobs).toEqual([{ payload: { subscriptionId: 'sub_1' } }])
    expect(await owner.call(getWorkspace)).toMatchObject({ state: 'closed' })
    expect(await owner.call(getClosing)).toEqual({
      closedAt: testNow.toISOString(),
      deletableAt: days(30).toISOString(),
    })
    expect((await owner.refused(closeWorkspace, { body: confirmed })).status).toBe(409)
  })

  it('is undone by reopening, in the audit trail too', async () => {
    await owner.call(reopenWorkspace)
    expect(await owner.call(getWorkspace)).toMatchObject({ state: 'core' })
    expect((await owner.refused(reopenWorkspace)).status).toBe(409)
    const events = await store.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name'])
      .where('workspace_id', '=', acme.id)
      .where('object_kind', '=', 'workspace')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(events).toEqual([
      { action: 'workspace.reopened', actor_name: 'owner of acme' },
      { action: 'workspace.closed', actor_name: 'owner of acme' },
    ])
  })
})

/** Statuses of acts that all reached the workspace before one of them was done. */
async function together(begin: () => Promise<{ status: number }>[]): Promise<number[]> {
  const begun = await store.db.transaction().execute(async (tx) => {
    await tx.selectFrom('workspace').select('id').where('id', '=', acme.id).forUpdate().execute()
    const acts = begin()
    const held = () =>
      sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`
        .execute(store.db)
        .then(({ rows }) => rows[0]?.count)
    await expect.poll(held, { timeout: 10_000 }).toBe(acts.length)
    return acts
  })
  return (await Promise.all(begun)).map(({ status }) => status).sort((one, other) => one - other)
}

describe('deleting', () => {
  it('needs a workspace that has been closed for 30 days', async () => {
    expect(await owner.refused(deleteWorkspace, { body: confirmed })).toMatchObject({ status: 409 })
    await owner.call(closeWorkspace, { body: confirmed })
    now = new Date(days(30).getTime() - 1)
    owner = await AppSession.signIn(http.url, acme.members.owner)
    expect(await owner.refused(deleteWorkspace, { body: confirmed })).toMatchObject({
      status: 409,
      body: { message: textWith('after 30 days') },
    })
    expect((await call(`${http.url}/csaf/acme/provider-metadata.json`)).status).toBe(200)
  })

  it('leaves nothing of the workspace but that it was deleted, and everything of others', async () => {
    now = days(30)
    const others = await rowsOf(umbrella.id)
    expect(await together(() => [1, 2].map(() => owner.ask(deleteWorkspace, { body: confirmed })))).toEqual([
      204, 404,
    ])
    expect((await owner.refused(getWorkspace)).status).toBe(404)
    expect((await call(`${http.url}/csaf/acme/provider-metadata.json`)).status).toBe(404)
    const refused = await call(`${http.url}/api/v1/sboms`, {
      method: 'POST',
      token: acme.families[0]?.upload ?? '',
      body: '{}',
    })
    expect(refused.status).toBe(401)
    await drain(store.db, now)
    expect(await rowsOf(acme.id)).toEqual({ audit_event: 1 })
    for (const family of acme.families) expect(await rowsOf(family.id)).toEqual({})
    expect(await rowsOf(umbrella.id)).toEqual(others)
    const told = await store.db
      .selectFrom('audit_event')
      .select(['workspace_id', 'action', 'object_name'])
      .where('object_id', '=', acme.id)
      .execute()
    expect(told).toEqual([{ workspace_id: null, action: 'workspace.deleted', object_name: null }])
  })

  it('is for nobody else: rows that are append-only stay so', async () => {
    await expect(
      sql`delete from audit_event where workspace_id = ${umbrella.id}`.execute(store.db),
    ).rejects.toThrow(/append-only/)
    await expect(
      sql`update workspace set slug = 'other' where id = ${umbrella.id}`.execute(store.db),
    ).rejects.toThrow(/published advisories/)
  })
})
