import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyTrail } from '../../src/audit/verify-trail.ts'
import { leftOutTables, movedNames } from '../../src/move/tables.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import type { Db } from '../../src/database/connection.ts'
import { warnOfDeadlines } from '../../src/incidents/reports/warn-of-deadlines.ts'
import { provision } from '../../src/provision/provision.ts'
import { freezeWorkspace, unfreezeWorkspace } from '../../src/workspace/moving.ts'
import { call, startTestHttp } from '../support/http.ts'
import { quickHash } from '../support/quick-hash.ts'
import { addRecord } from '../support/records.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { readMovedRows } from './compared-rows.ts'
import { addRowsOfEveryTable } from './rows-of-every-table.ts'
import {
  addVulnerabilityData,
  MoveScene,
  operator,
  openInstallation,
  type Installation,
} from './move-scene.ts'

let scene: MoveScene
const installations: Installation[] = []

async function open(): Promise<Installation> {
  const installation = await openInstallation()
  installations.push(installation)
  return installation
}

beforeAll(async () => {
  scene = await MoveScene.open()
})
afterAll(async () => {
  await scene.close()
  await Promise.all(installations.map(({ store }) => store.drop()))
})

const otherWorkspace = {
  workspaces: [
    {
      slug: 'here',
      companyName: 'Here AS',
      securityContactEmail: 'security@here.example',
      plan: 'core',
      members: [
        {
          email: 'Owner@acme.example',
          name: 'Known here',
          role: 'owner',
          password: 'a long enough password',
        },
      ],
    },
  ],
}

const byEmail = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other))

async function accounts({ store }: Installation): Promise<object[]> {
  const rows = await store.db.selectFrom('person').select(['email', 'password_hash']).execute()
  return rows.map(({ email, password_hash: hash }) => ({ email, password: hash !== null })).sort(byEmail)
}

async function bytesOf(url: string, path: string): Promise<string> {
  const answer = await fetch(`${url}/csaf/acme/${path}`)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer()).toString('base64')
}

async function documentsOf(url: string): Promise<string[]> {
  const index = await (await fetch(`${url}/csaf/acme/white/index.txt`)).text()
  return index
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `white/${line}`)
}

async function warnings(db: Db, workspaceId: string): Promise<number> {
  const jobs = await db
    .selectFrom('job')
    .select('payload')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'emit_event')
    .execute()
  return jobs.filter(({ payload }) => JSON.stringify(payload).includes('deadline.warning')).length
}

const rowsOf = ({ store, sealing }: Installation, id: string) => readMovedRows({ db: store.db, sealing }, id)

describe('every table', () => {
  it('moves, or is left out with a reason', async () => {
    const { rows } = await scene.source.store.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    )
    const known = [...movedNames, ...Object.keys(leftOutTables)]
    expect(known.toSorted()).toEqual(rows.map(({ name }) => name).sort())
  })
})

describe('a workspace that moves', () => {
  it('arrives with every row, and its trail goes on', async () => {
    const target = await open()
    await addVulnerabilityData(target)
    const [acme] = scene.workspaces
    await addRowsOfEveryTable({ db: scene.source.store.db, sealing: scene.source.sealing }, acme.id)
    const before = await rowsOf(scene.source, acme.id)
    expect(movedNames.filter((name) => before[name]?.length === 0)).toEqual([])
    await scene.export('whole.gz')
    const imported = await scene.import('whole.gz', target)
    expect(imported).toMatchObject({ slug: 'acme', madeAccounts: 2, unknownVulnerabilities: 0 })
    const after = await rowsOf(target, acme.id)
    for (const name of movedNames.filter((table) => !table.startsWith('audit_')))
      expect({ name, rows: after[name] }).toEqual({ name, rows: before[name] })
    const trail = await verifyTrail(target.store.db, [])
    expect(trail).toMatchObject({ isWhole: true, waiting: { events: 0 } })
    const events = await target.store.db
      .selectFrom('audit_event')
      .select(['action', 'original_id'])
      .where('workspace_id', '=', acme.id)
      .orderBy('id')
      .execute()
    expect(events.at(-1)).toEqual({ action: 'workspace.imported', original_id: null })
    expect(events.length).toBe((before['audit_event'] ?? []).length + 1)
    await drain(target.store.db, testNow)
    const settled = await rowsOf(target, acme.id)
    expect(settled['finding']).toEqual(before['finding'])
    expect(before['finding']?.length).toBeGreaterThan(0)
  })

  it('leaves the others alone, here and there, and finds accounts by their address', async () => {
    const target = await open()
    await addVulnerabilityData(target)
    const [acme, umbrella] = scene.workspaces
    const [here] = await provision(target.store.db, otherWorkspace, testNow, { hash: quickHash }).then(
      ({ workspaces }) => workspaces,
    )
    await chainEvents(target.store.db)
    const known = here?.members?.[0]?.id ?? ''
    expect(known).not.toBe(acme.members.owner.id)
    const before = [
      await rowsOf(scene.source, umbrella.id),
      await rowsOf(target, here?.id ?? ''),
      await accounts(target),
    ]
    expect(await scene.import('whole.gz', target)).toMatchObject({ madeAccounts: 1 })
    await drain(target.store.db, testNow)
    const members = await target.store.db
      .selectFrom('member')
      .select(['person_id', 'role'])
      .where('workspace_id', '=', acme.id)
      .orderBy('role')
      .execute()
    expect(members).toEqual([
      { person_id: known, role: 'owner' },
      { person_id: acme.members.viewer.id, role: 'viewer' },
    ])
    const [, , others = []] = before
    expect(await accounts(target)).toEqual(
      [...(others as object[]), { email: 'viewer@acme.example', password: false }].sort(byEmail),
    )
    expect([await rowsOf(scene.source, umbrella.id), await rowsOf(target, here?.id ?? '')]).toEqual(
      before.slice(0, 2),
    )
  })

  it('is served there: the same tokens, documents byte for byte, and its inbox can be read', async () => {
    const target = await open()
    await addVulnerabilityData(target)
    const [acme] = scene.workspaces
    await scene.import('whole.gz', target)
    const http = await startTestHttp({ database: target.store, sealing: target.sealing, now: () => testNow })
    try {
      const paths = ['white/index.txt', 'white/changes.csv', ...(await documentsOf(scene.http.url))]
      expect(paths.length).toBeGreaterThan(2)
      for (const path of paths) {
        const [one, other] = await Promise.all([scene.http.url, http.url].map((url) => bytesOf(url, path)))
        expect({ path, bytes: other }).toEqual({ path, bytes: one })
      }
      const sent = await call(`${http.url}/api/v1/sboms`, {
        method: 'POST',
        token: acme.families[0]?.upload ?? '',
        body: sampleSbom({ components: 3, serial: 77 }),
      })
      expect(sent).toMatchObject({ status: 202 })
    } finally {
      await http.stop()
    }
  })

  it('keeps findings whose vulnerability is not known there, until they are worked out', async () => {
    const target = await open()
    const [acme] = scene.workspaces
    const before = await rowsOf(scene.source, acme.id)
    expect(await scene.import('whole.gz', target)).toMatchObject({ unknownVulnerabilities: 1 })
    expect((await rowsOf(target, acme.id))['finding']).toEqual(before['finding'])
    expect((await rowsOf(target, acme.id))['incident_affected']).toEqual(before['incident_affected'])
  })

  it('keeps of findings that are one at the target when it was seen, decided and told first', async () => {
    const { db } = scene.source.store
    const other = await addRecord(db, { id: 'CVE-2026-4243', affected: [] })
    const times = (day: number) => new Date(Date.UTC(2025, 0, day))
    const { rows } = await sql<{ id: string }>`
      with doubled as (
        insert into finding (id, workspace_id, family_id, version_id, identity_id, group_id, grade, exploited_by, first_seen_at, closed_at, first_verdict_at,
          malware_told_at)
        select gen_random_uuid(), workspace_id, family_id, version_id, identity_id, v.group_id, grade, exploited_by, ${times(2)}, ${times(9)}, ${times(3)},
          ${times(4)}
        from finding f, vulnerability v where f.workspace_id = ${scene.workspaces[0].id} and f.closed_at is null and v.id = ${other} limit 1
        returning id, family_id, version_id, identity_id
      )
      update finding f set first_seen_at = ${times(5)}, first_verdict_at = ${times(6)}, malware_told_at = null from doubled d
      where f.family_id = d.family_id and f.version_id is not distinct from d.version_id and f.identity_id = d.identity_id and f.closed_at is null
      returning f.id`.execute(db)
    expect(rows).toHaveLength(1)
    await scene.export('two-groups.gz')
    const target = await open()
    await addVulnerabilityData(target)
    await addRecord(target.store.db, { id: 'CVE-2026-4243', affected: [], group: 'CVE-2026-4242' })
    await scene.import('two-groups.gz', target)
    const kept = await target.store.db
      .selectFrom('finding')
      .select(['id', 'first_seen_at', 'first_verdict_at', 'malware_told_at', 'closed_at'])
      .where('first_seen_at', '<', times(10))
      .execute()
    expect(kept).toEqual([
      {
        id: rows[0]?.id,
        first_seen_at: times(2),
        first_verdict_at: times(3),
        malware_told_at: times(4),
        closed_at: null,
      },
    ])
  })

  it('comes back, with what happened meanwhile', async () => {
    const [there, back] = [await open(), await open()]
    for (const installation of [there, back]) await addVulnerabilityData(installation)
    const [acme] = scene.workspaces
    await scene.import('whole.gz', there)
    await drain(there.store.db, testNow)
    await chainEvents(there.store.db)
    const before = await rowsOf(there, acme.id)
    await scene.export('back.gz', { from: there })
    await scene.import('back.gz', back)
    await drain(back.store.db, testNow)
    const after = await rowsOf(back, acme.id)
    for (const name of movedNames.filter((table) => !table.startsWith('audit_')))
      expect({ name, rows: after[name] }).toEqual({ name, rows: before[name] })
    expect(await verifyTrail(back.store.db, [])).toMatchObject({ isWhole: true })
    expect(after['audit_event']).toHaveLength((before['audit_event'] ?? []).length + 1)
  })

  it('does not wait for ever for a table that somebody has locked', async () => {
    const target = await open()
    await addVulnerabilityData(target)
    const other = await target.store.pool.connect()
    await other.query('BEGIN; LOCK TABLE workspace')
    await expect(scene.import('whole.gz', target)).rejects.toMatchObject({ code: '55P03' })
    await other.query('ROLLBACK')
    other.release()
    expect(await scene.import('whole.gz', target)).toMatchObject({ slug: 'acme' })
  })

  it('may have another address, unless that is in what it has published', async () => {
    const target = await open()
    await expect(scene.import('whole.gz', target, { slug: 'acme-2' })).rejects.toThrow(/published advisories/)
    await expect(scene.import('whole.gz', target, { slug: 'A b' })).rejects.toThrow(/cannot be an address/)
    await expect(scene.import('whole.gz', scene.source)).rejects.toThrow(/here already, as "acme"/)
  })
})

describe('a report that is due while its workspace moves', () => {
  let due: Date
  beforeAll(async () => {
    const { db } = scene.source.store
    // each workspace's first report with a deadline, which is then undecided
    const { rows } = await sql<{ due_at: Date }>`
      update regime_report set state = 'open', reason = null where id in (
        select distinct on (workspace_id) id from regime_report where state = 'not_required' and due_at is not null
        order by workspace_id, due_at
      ) returning due_at`.execute(db)
    expect(rows).toHaveLength(2)
    due = rows[0]?.due_at ?? testNow
  })

  const move = async (name: string, now: Date): Promise<Installation> => {
    const target = await open()
    await addVulnerabilityData(target)
    const act = { workspaceId: scene.workspaces[0].id, actor: operator, now }
    await freezeWorkspace(scene.source.store.db, act)
    await scene.export(name)
    await scene.import(name, target)
    return target
  }

  it('is warned of once, by the installation that has it', async () => {
    const [acme, umbrella] = scene.workspaces
    const target = await move('frozen.gz', testNow)
    const { db } = scene.source.store
    const at = new Date(due.getTime() - 60_000)
    for (const store of [scene.source.store, target.store, scene.source.store, target.store])
      await warnOfDeadlines(store.db, at)
    expect(await warnings(db, acme.id)).toBe(0)
    expect(await warnings(db, umbrella.id)).toBe(1)
    expect(await warnings(target.store.db, acme.id)).toBe(1)
  })

  it('is not warned of again where that was done before', async () => {
    const [acme] = scene.workspaces
    const { db } = scene.source.store
    await unfreezeWorkspace(db, { workspaceId: acme.id, actor: operator, now: testNow })
    const at = new Date(due.getTime() - 60_000)
    await warnOfDeadlines(db, at)
    expect(await warnings(db, acme.id)).toBe(1)
    const target = await move('warned.gz', at)
    await warnOfDeadlines(target.store.db, at)
    expect(await warnings(target.store.db, acme.id)).toBe(0)
  })
})
