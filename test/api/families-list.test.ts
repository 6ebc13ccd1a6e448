import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  familySorts,
  type FamilyPage,
  type FamilyRow,
  type FamilySort,
} from '../../src/contract/products/shapes.ts'
import { listFamilies, listFamilyNames } from '../../src/contract/products/operations.ts'
import type { QueryOf } from '../../src/contract/operation.ts'
import type { Db } from '../../src/database/connection.ts'
import { addRecord } from '../support/records.ts'
import { addIdentity, npm } from '../support/parts.ts'
import { addFamily, addSbom } from '../support/rows.ts'
import { AppSession } from '../support/app-session.ts'
import { endBoth } from '../support/http.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { later, testNow } from '../support/clock.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

const families = 1_000
/** Each has a character special to SQL, patterns, JSON or HTML. */
const oddNames = [
  '100% pump',
  'under_score',
  String.raw`back\slash`,
  `O'Brien "quoted"`,
  '<b>bold</b>',
  'Überdruck 🚰',
]

let stranger: AppSession

let { store, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, umbrella, owner } = await openAppScene({ families: 1 }))
  for (const workspace of [acme, umbrella]) await addFamilies(store.db, workspace)
  for (const name of oddNames) await addFamily(store.db, acme.id, name)
  await openFindings(store.db, acme, 7)
  await openFindings(store.db, umbrella, 5)
  for (const [at, minutes] of [
    [40, 3],
    [41, 9],
    [42, 3],
  ] as const) {
    const family = { workspaceId: acme.id, familyId: await idOf(acme, `Valve ${at}`) }
    await addSbom(store.db, family, { parts: [npm('kiwi', '1.0.0')], now: later(minutes) })
  }
  stranger = await AppSession.signIn(http.url, umbrella.members.owner)
})
afterAll(() => endBoth(http, store))

async function addFamilies(db: Db, { id }: TestWorkspace): Promise<void> {
  await sql`
    insert into family (id, workspace_id, name, created_at, archived_at)
    select gen_random_uuid(), ${id}, 'Valve ' || n, ${testNow}::timestamptz, case when n > ${families} then ${testNow}::timestamptz end
    from generate_series(1, ${families + 3}) n`.execute(db)
}

async function idOf({ id }: TestWorkspace, name: string): Promise<string> {
  const row = await store.db
    .selectFrom('family')
    .select('id')
    .where('workspace_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Valve n has n % `modulus` findings: n % 3 of them critical, the first exploited if n is even, and one declared finding besides. */
async function openFindings(db: Db, workspace: TestWorkspace, modulus: number): Promise<void> {
  const groups = await sql<{ id: number }>`select id from vulnerability_group`.execute(db)
  if (groups.rows.length === 0) {
    for (let n = 0; n < 8; n += 1) {
      await addRecord(db, { id: `CVE-2024-${n}`, severity: n < 3 ? 'critical' : 'high', affected: [] })
    }
  }
  const identity = await addIdentity(db, npm('kiwi', '1.0.0'))
  const decided = (await decideOne(db, workspace)).decision
  await sql`
    insert into finding (id, workspace_id, family_id, identity_id, group_id, grade, exploited_by, first_seen_at, closed_at,
      verdict, verdict_decision_id, verdict_since)
    select gen_random_uuid(), f.workspace_id, f.id, ${identity}, g.id, 'exact',
      case when place.n = 1 and number.n % 2 = 0 then '{kev}'::text[] else '{}' end, ${testNow}::timestamptz,
      case when place.n = 7 then ${testNow}::timestamptz end,
      case when place.n = 8 then 'not_affected' end, case when place.n = 8 then ${decided}::uuid end,
      case when place.n = 8 then ${testNow}::timestamptz end
    from family f
    cross join lateral (select substr(f.name, 7)::int as n) number
    join generate_series(1, 8) place (n) on place.n <= number.n % ${modulus} or place.n > 6
    join vulnerability_group g on g.title_id = 'CVE-2024-' || (place.n - 1)
    where f.workspace_id = ${workspace.id} and f.name like 'Valve %'`.execute(db)
}

/** A member's decision, for declared findings. */
async function decideOne(
  db: Db,
  { id, families: [family], members }: TestWorkspace,
): Promise<{ decision: string }> {
  const { rows } = await sql<{ decision: string }>`
    insert into verdict_decision (id, workspace_id, family_id, every_version, package_key, vulnerability_id, verdict, comment,
      decided_at, decided_by, decided_by_name)
    values (gen_random_uuid(), ${id}, ${family?.id}, true, 'npm', 'CVE-2024-7', 'not_affected', '', ${testNow}::timestamptz,
      ${members.owner.id}, 'Olga')
    returning id as decision`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the decision was not made')
  return row
}

type Asked = QueryOf<typeof listFamilies>
const page = (query: Asked, session = owner) => session.call(listFamilies, { query })

/** All pages; each has at most a hundred rows. */
async function everyPage(asked: Asked): Promise<FamilyRow[]> {
  const rows: FamilyRow[] = []
  let cursor: string | null = null
  do {
    const next: FamilyPage = await page({ ...asked, cursor: cursor ?? undefined })
    expect(next.rows.length).toBeLessThanOrEqual(100)
    rows.push(...next.rows)
    cursor = next.nextCursor
  } while (cursor !== null)
  return rows
}

const inUse = 1 + families + oddNames.length
const byName = (a: string, b: string) => (a < b ? -1 : Number(a > b))
const uploadOf = ({ lastUploadAt }: FamilyRow) => (lastUploadAt === null ? null : Date.parse(lastUploadAt))

const keys: Record<FamilySort, (row: FamilyRow) => number[]> = {
  name: () => [],
  '-name': () => [],
  upload: (row) => [-(uploadOf(row) ?? -Infinity)],
  '-upload': (row) => [uploadOf(row) ?? Infinity],
  malware: ({ findings }) => [-findings.malware, -findings.total],
  exploited: ({ findings }) => [-findings.exploited, -findings.total],
  findings: ({ findings }) => [-findings.total],
  severity: ({ findings }) => [-findings.malware, -findings.bySeverity.critical, -findings.bySeverity.high],
}

function inOrder(rows: readonly FamilyRow[], sort: FamilySort): string[] {
  const sorted = rows.toSorted((a, b) => {
    const [left, right] = [keys[sort](a), keys[sort](b)]
    const at = left.findIndex((value, place) => value !== right[place])
    if (at !== -1) return (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1
    return (sort === '-name' ? -1 : 1) * byName(a.name.toLowerCase(), b.name.toLowerCase())
  })
  return sorted.map(({ name }) => name)
}

describe('a thousand families', () => {
  it.each(familySorts)('are read to the end, each once, sorted by %s with ties by name', async (sort) => {
    const rows = await everyPage({ sort })
    expect(new Set(rows.map(({ id }) => id)).size).toBe(inUse)
    expect(rows.map(({ name }) => name)).toEqual(inOrder(rows, sort))
  })

  it('are counted on every page, and so are those that a search leaves', async () => {
    const first = await page({})
    expect([first.rows.length, first.total, first.all]).toEqual([100, inUse, inUse])
    const second = await page({ cursor: first.nextCursor ?? '' })
    expect([second.rows.length, second.total, second.all]).toEqual([100, inUse, inUse])
    const found = await page({ search: 'valve 99' })
    expect([found.rows.length, found.total, found.all]).toEqual([11, 11, inUse])
    expect(await page({ search: 'no such family' })).toEqual({
      rows: [],
      nextCursor: null,
      total: 0,
      all: inUse,
    })
  })

  it('each have their counts: declared and closed findings are not open', async () => {
    const { rows } = await page({ search: 'Valve 40' })
    expect(rows.find(({ name }) => name === 'Valve 40')).toMatchObject({
      activeSboms: 1,
      // as the page of the family has it: its SBOM names no version
      activeVersions: 1,
      lastUploadAt: later(3).toISOString(),
      findings: { total: 5, exploited: 1, notAffected: 1, bySeverity: { critical: 3, high: 2 } },
    })
    const [none] = (await page({ search: 'Valve 7', sort: 'name' })).rows
    expect(none).toMatchObject({
      name: 'Valve 7',
      activeVersions: 0,
      lastUploadAt: null,
      findings: { total: 0, exploited: 0 },
    })
  })

  it('are searched and sorted together', async () => {
    const rows = await everyPage({ search: 'VALVE 1', sort: 'findings' })
    expect(rows).toHaveLength(112)
    expect(rows.map(({ name }) => name)).toEqual(inOrder(rows, 'findings'))
  })

  it('that are archived have a list of their own', async () => {
    const { rows, total, all } = await page({ archived: 'true' })
    expect(rows.map(({ name }) => name)).toEqual(['Valve 1001', 'Valve 1002', 'Valve 1003'])
    expect([total, all]).toEqual([3, 3])
  })

  it('are those of the workspace alone', async () => {
    const own = await page({ sort: 'findings' }, stranger)
    expect([own.total, own.rows[0]?.findings.total]).toEqual([families + 1, 4])
    const ids = new Set((await everyPage({})).map(({ id }) => id))
    expect(own.rows.some(({ id }) => ids.has(id))).toBe(false)
    expect((await page({ search: 'pump' }, stranger)).rows.map(({ name }) => name)).toEqual(['Pump 1'])
  })

  it('are all named where one is chosen', async () => {
    const { families: named } = await owner.call(listFamilyNames)
    expect(named).toHaveLength(inUse)
    expect(named.find(({ name }) => name === 'Valve 41')?.lastUploadAt).toBe(later(9).toISOString())
  })
})

describe('a search of families', () => {
  it.each([
    ['%', ['100% pump']],
    ['_', ['under_score']],
    ['\\', [String.raw`back\slash`]],
    ["'", [`O'Brien "quoted"`]],
    ["' or 1=1 --", []],
    ['"quoted"', [`O'Brien "quoted"`]],
    ['<B>', ['<b>bold</b>']],
    ['🚰', ['Überdruck 🚰']],
    ['Überdruck', ['Überdruck 🚰']],
    ['  under_  ', ['under_score']],
    ['.*', []],
    [`${'x'.repeat(199)}🚰`, []],
  ])('takes %j as the characters it is', async (search, names) => {
    expect((await page({ search })).rows.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['search=%00', 'search'],
    ['search=a&search=b', 'search'],
    ['sort=price', 'sort'],
    ['cursor=x', 'cursor'],
    ['archived=maybe', 'archived'],
  ])('%s is refused', async (query, field) => {
    const answer = await owner.send(`/workspaces/acme/families?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(JSON.stringify(answer.body)).toContain(field)
  })

  it('does not go on with the cursor of another sort', async () => {
    const { nextCursor } = await page({ sort: 'name' })
    const answer = await owner.refused(listFamilies, { query: { sort: 'findings', cursor: nextCursor } })
    expect(answer.status).toBe(400)
  })
})
