import { randomUUID } from 'node:crypto'
import { dayMs } from '../../src/contract/durations.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { idleBefore, openSession } from '../../src/people/sessions.ts'
import {
  countRetention,
  keptForGood,
  removedBySchedule,
  retention,
  runRetention,
} from '../../src/worker/retention.ts'
import { seldomTurns } from '../../src/worker/schedule.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { testNow } from '../support/clock.ts'
import { runCommand } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addExploited } from '../support/records.ts'
import { addFamily, addMember, addWorkspace } from '../support/rows.ts'
import { testSealing } from '../support/http.ts'
import { runCli } from '../support/service.ts'
import { checkoutDir } from '../support/test-server.ts'
import { folderOf, importDeps, record, wholeFile, type TestRecord } from '../vulndata/support.ts'
const later = (days: number, ms = 0) => new Date(testNow.getTime() + days * dayMs + ms)

let database: TestDatabase
let workspaceId: string
let personId: string

beforeAll(async () => {
  database = await createTestDatabase()
  workspaceId = await addWorkspace(database.db, 'acme')
  personId = await addMember(database.db, workspaceId)
})
afterAll(() => database.drop())

it('docs/operating.md shows the table of the code', () => {
  const text = readFileSync(join(checkoutDir, 'docs/operating.md'), 'utf8')
  const [, section = ''] = text.split('## How long things are kept\n')
  const [shown = ''] = section.split('\n## ')
  const rows = [...shown.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, what, kept]) => ({ what, kept }))
  expect(rows.slice(2)).toEqual(retention.map(({ what, kept }) => ({ what, kept })))
  expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length)
})

it('what is kept for good is in tables that no rule removes anything from', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(database.db)
  const tables = new Set(rows.map(({ name }) => name))
  const kept = keptForGood.flatMap((entry) => entry.tables)
  expect(kept.filter((name) => !tables.has(name))).toEqual([])
  const reads = removedBySchedule.map(
    (rule) => /^\s*select\s+\S+(?: as id)? from (\w+)/.exec(rule.over(testNow).compile(database.db).sql)?.[1],
  )
  expect(reads).not.toContain(undefined)
  expect(reads.filter((name) => kept.includes(name ?? ''))).toEqual([])
})

async function countOf(what: string, at: Date): Promise<number | undefined> {
  return (await countRetention(database.db, at))[what]
}

/** A row is removed at its time and not a millisecond earlier, and counting removes nothing. */
async function expectGone(what: string, at: Date, rows: number): Promise<void> {
  const before = new Date(at.getTime() - 1)
  expect(await countOf(what, before), what).toBe(0)
  expect((await runRetention(database.db, { now: before, sealing: testSealing }))[what]).toBe(0)
  expect(await countOf(what, at), what).toBe(rows)
  expect(await countOf(what, at), what).toBe(rows)
  const removed = await Promise.all(
    [1, 2].map(() => runRetention(database.db, { now: at, sealing: testSealing })),
  )
  expect(
    removed.reduce((sum, counts) => sum + (counts[what] ?? 0), 0),
    what,
  ).toBe(rows)
  expect(await countOf(what, at), what).toBe(0)
}

it('sessions go 30 days after they end, by time or for want of use', async () => {
  const { expiresAt } = await openSession(database.db, { personId, address: '192.0.2.1', now: testNow })
  await database.db.updateTable('session').set({ last_seen_at: expiresAt }).execute()
  await expectGone('ended sessions', new Date(expiresAt.getTime() + 30 * dayMs), 1)
  await openSession(database.db, { personId, address: '192.0.2.1', now: testNow })
  const idleMs = testNow.getTime() - idleBefore(testNow).getTime()
  await expectGone('ended sessions', new Date(testNow.getTime() + idleMs + 30 * dayMs), 1)
})

it('deliveries go 90 days after they were made, in small batches; those that wait do not', async () => {
  const destination = randomUUID()
  await sql`
    insert into alert_destination (id, workspace_id, kind, name, host, url_sealed, events, enabled, created_at, added_by_kind, added_by_name)
    values (${destination}, ${workspaceId}, 'webhook', 'hook', 'hooks.example', '\\x00', '{test}', true, ${testNow}, 'system', 'test')`.execute(
    database.db,
  )
  await sql`
    insert into alert_delivery (id, workspace_id, destination_id, event_id, type, fact, host, state, created_at)
    select gen_random_uuid(), ${workspaceId}, ${destination}, gen_random_uuid(), 'test', '{}', 'hooks.example',
      (array['sent', 'failed', 'not_sent', 'pending', 'sending'])[1 + n % 5], ${testNow}
    from generate_series(1, 1000) n`.execute(database.db)
  await expectGone('deliveries of alerts, sent or not', later(90), 600)
  const { rows } = await sql<{
    state: string
  }>`select distinct state from alert_delivery order by state`.execute(database.db)
  expect(rows.map(({ state }) => state)).toEqual(['pending', 'sending'])
})

it('entries of the bell and messages go by their own times', async () => {
  await sql`
    insert into bell_entry (id, person_id, event_id, kind, fact, is_named, created_at, read_at)
    select gen_random_uuid(), ${personId}, gen_random_uuid(), 'incident.opened', '{}', false, ${testNow}, case n when 1 then ${testNow}::timestamptz end
    from generate_series(1, 3) n`.execute(database.db)
  await sql`
    insert into mail (id, person_id, event_id, kind, fact, is_named, recipient, recipient_name, state, created_at, due_at, ended_at)
    select gen_random_uuid(), ${personId}, gen_random_uuid(), 'incident.opened', '{}', false, 'o@example.com', 'O', 'waiting', ${testNow}, ${testNow},
      case n when 1 then null else ${testNow}::timestamptz end
    from generate_series(1, 3) n`.execute(database.db)
  await expectGone('messages to members, sent or not', later(90), 2)
  await database.db
    .updateTable('bell_entry')
    .set({ read_at: testNow })
    .where('read_at', 'is not', null)
    .execute()
  expect(await countOf('read entries of the bell', later(91))).toBe(0)
  await expectGone('unread entries of the bell', later(365), 2)
})

it('records go 90 days after their source has them no longer, unless something names them', async () => {
  const { db } = database
  const load = (records: TestRecord[], now: Date) => {
    const from = join(folderOf({ 'npm/all.zip': wholeFile(records) }), 'npm/all.zip')
    return importVulnerabilityData(importDeps(db), { from, now })
  }
  const all = [
    ...Array.from({ length: 90 }, (_, index) => record(`OSV-2025-${index}`, `npm/package-${index}`)),
    record('GONE-1', 'npm/gone'),
    record('GONE-2', 'npm/gone', { aliases: ['CVE-2025-0002'] }),
    record('GONE-3', 'npm/gone', { aliases: ['CVE-2025-0003'] }),
    record('GONE-4', 'npm/gone'),
    record('GONE-5', 'npm/gone', { aliases: ['CVE-2025-0005'] }),
    record('WITHDRAWN', 'npm/gone', { withdrawn: '2020-01-01T00:00:00Z' }),
  ]
  await load(all, testNow)
  const { familyId } = await addFamily(db, workspaceId, 'Pump')
  await addExploited(db, { source: 'kev', cveId: 'CVE-2025-0002' })
  await sql`
    insert into verdict_decision (id, workspace_id, family_id, every_version, package_key, vulnerability_id, verdict, comment, decided_at, decided_by, decided_by_name)
    values (gen_random_uuid(), ${workspaceId}, ${familyId}, true, 'npm', 'CVE-2025-0003', 'fixed', 'done', ${testNow}, ${personId}, 'Olga')`.execute(
    db,
  )
  await sql`
    insert into finding (id, workspace_id, family_id, identity_id, group_id, grade, exploited_by, first_seen_at, closed_at)
    select gen_random_uuid(), ${workspaceId}, ${familyId}, gen_random_uuid(), group_id, 'exact', '{}', ${testNow}, ${testNow}
    from vulnerability where record_id = 'GONE-4'`.execute(db)
  const stays = all.filter(({ id }) => !id.startsWith('GONE'))
  await load(stays, later(1))
  await expectGone('vulnerability records that nothing names', later(91), 2)
  const { rows } = await sql<{ id: string }>`
    select record_id as id from vulnerability where withdrawn_at is not null order by 1`.execute(db)
  expect(rows.map(({ id }) => id)).toEqual(['GONE-2', 'GONE-3', 'GONE-4', 'WITHDRAWN'])
  const { rows: left } = await sql`
    select from vulnerability_group g where not exists (select from vulnerability v where v.group_id = g.id)
    union all select from alias_assertion a where not exists (select from vulnerability v where v.id = a.vulnerability_id)`.execute(
    db,
  )
  expect(left).toEqual([])

  const [report] = await load(all, later(92))
  expect(report).toMatchObject({ added: 2 })
})

it('is a command that counts without removing, and runs when a process starts and a few times a day', async () => {
  const env = { ...process.env, DATABASE_URL: database.url, BASE_URL: 'http://localhost:3000' }
  await sql`
    insert into session (id, secret_hash, person_id, created_at, last_seen_at, expires_at)
    values (gen_random_uuid(), '\\x01', ${personId}, '2020-01-01', '2020-01-01', '2020-01-01')`.execute(
    database.db,
  )
  const counted = await runCommand<{ wouldRemove: Record<string, number> }>(env, ['retention', '--dry-run'])
  expect(Object.keys(counted.wouldRemove)).toEqual(removedBySchedule.map(({ what }) => what))
  expect(counted.wouldRemove['ended sessions']).toBe(1)
  expect(await runCommand(env, ['retention'])).toMatchObject({ removed: { 'ended sessions': 1 } })
  await expect(runCli(env, ['retention', '--now'])).rejects.toThrow(
    /ended with 2: [^]*Unknown option '--now'/,
  )

  const isTurn = seldomTurns()
  expect(
    [0, 1, 5.99, 6, 7, 12].map((hours) => isTurn(new Date(testNow.getTime() + hours * 3_600_000))),
  ).toEqual([...[true, false, false, true, false, true]])
})
