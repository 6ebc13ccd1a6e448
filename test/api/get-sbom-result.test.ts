import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { markMatched } from '../../src/sbom/set-status.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { baseUrl, call, startTestHttp, type Answer } from '../support/http.ts'
import { writeIdentities } from '../../src/sbom/components/write-identities.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs, refusalIn } from '../support/read-as.ts'

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open()
})

afterAll(() => scene.close())

const resultsToken = async (of = scene.company) =>
  (await createFamilyToken(scene.database.db, of, { kind: 'results' })).secret

async function read(
  id: string,
  { token, query = '' }: { token?: string; query?: string } = {},
): Promise<Answer> {
  return call(`${scene.http.url}/api/v1/sboms/${id}${query}`, { token: token ?? (await resultsToken()) })
}

const library = (name: string, fields: Record<string, unknown> = {}) => ({ type: 'library', name, ...fields })
const pypi = (name: string, version?: string) =>
  library(name, {
    purl: `pkg:pypi/${name}${version === undefined ? '' : `@${version}`}`,
    ...(version === undefined ? {} : { version }),
  })

describe('the result of an SBOM', () => {
  it('has the SBOM shape, counts per finding and the coverage of its components', async () => {
    const document = { serialNumber: 'urn:result', metadata: { component: library('p', { version: '9' }) } }
    const components = [
      pypi('a', '1.0'),
      pypi('b', '1.0'),
      pypi('c'),
      pypi('d', 'x y'),
      library('e'),
      library('f', { purl: 'pkg:npm/f@1.0.0' }),
    ]
    const { id } = await scene.uploaded(cyclonedx({ ...document, components }))
    expect(await read(id)).toMatchObject({
      body: { matches: { coverage: { covered: 0, dataNotLoaded: 6 } } },
    })
    await writeIdentities(scene.database.db, { ...scene.company, now: testNow })
    await insertFindings(id)
    const answer = await read(id)
    expect(answer).toMatchObject({ status: 200 })
    const result = readAs(SbomResult, answer.body)
    expect(result).toEqual({
      id,
      status: 'parsed',
      components: 6,
      version: '9',
      url: `${baseUrl}/app/acme/sboms/${id}`,
      duplicate: false,
      matches: {
        total: 3,
        bySeverity: { critical: 2, high: 0, medium: 1, low: 0, none: 0, unknown: 0 },
        byGrade: { exact: 2, possible: 1 },
        exploited: 1,
        malware: 0,
        notAffected: 0,
        coverage: {
          covered: 2,
          notCovered: 1,
          noVersion: 1,
          uncomparable: 1,
          releaseUnknown: 0,
          dataNotLoaded: 1,
          noSource: 0,
          sourceUnknown: 0,
        },
      },
      // before matching it rests only on the lists of exploited vulnerabilities
      data: { stale: 0, sources: lists },
    })
  })

  it('of an SBOM without components is all zero', async () => {
    const { id } = await scene.uploaded(cyclonedx({ serialNumber: `urn:${scene.serial()}` }))
    expect(await read(id)).toMatchObject({ status: 200, body: { components: 0, matches: { total: 0 } } })
  })
})

const lists = [
  ['kev', 'CISA KEV'],
  ['eukev', 'EU KEV (ENISA)'],
  ['euvd', 'EUVD dump (ENISA)'],
].map(([name, label]) => ({
  name,
  label,
  brings: 'exploited',
  state: 'never',
  components: null,
  lastSuccessAt: null,
  failingSince: null,
}))

/** PyPI is loaded, npm is not. Two groups on `a`, one on `b`, a closed one on `b`, one in another version on `a`. */
async function insertFindings(sbomId: string): Promise<void> {
  const { db } = scene.database
  await db
    .insertInto('data_source')
    .values({
      name: 'osv:PyPI',
      address: null,
      last_attempt_at: testNow,
      last_success_at: testNow,
      last_error: null,
      watermark: null,
      content_hash: null,
      is_whole: true,
    })
    .execute()
  const groups = await db
    .insertInto('vulnerability_group')
    .values(
      (['critical', 'medium', 'critical', 'high', 'low'] as const).map((severity, place) => ({
        title_id: `CVE-${place}`,
        summary: '',
        severity,
        score: null,
        severity_source: null,
      })),
    )
    .returning('id')
    .execute()
  await sql`
    insert into finding (id, workspace_id, family_id, version_id, identity_id, group_id, grade, exploited_by, first_seen_at, closed_at)
    select gen_random_uuid(), s.workspace_id, s.family_id, case when given.other then null else s.version_id end, c.identity_id,
      given.group_id, given.grade, given.exploited_by::text[], ${testNow}::timestamptz,
      case when given.closed then ${testNow}::timestamptz end
    from sbom s
    cross join (values
      ('a', ${groups[0]?.id}::bigint, 'exact', '{kev}', false, false),
      ('a', ${groups[1]?.id}::bigint, 'possible', '{}', false, false),
      ('b', ${groups[2]?.id}::bigint, 'exact', '{}', false, false),
      ('b', ${groups[3]?.id}::bigint, 'exact', '{}', true, false),
      ('a', ${groups[4]?.id}::bigint, 'exact', '{}', false, true)
    ) as given (name, group_id, grade, exploited_by, closed, other)
    join component c on c.family_id = s.family_id and c.number = any(s.component_numbers) and c.name = given.name
    where s.id = ${sbomId}`.execute(db)
}

describe('waiting', () => {
  it('holds the answer until matching has ended', async () => {
    const { id } = await scene.uploaded(scene.sbom())
    const waiting = read(id, { query: '?wait=30' })
    await markMatched(scene.database.db, scene.company.workspaceId, [id], testNow)
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'matched' } })
  })

  it('answers what there is when the time is over', async () => {
    const { id } = await scene.uploaded(scene.sbom())
    expect(await read(id, { query: '?wait=1' })).toMatchObject({ status: 200, body: { status: 'parsed' } })
  })

  it.each([
    ['a revoked token', 'update token set revoked_at = now()', 401, 'unauthorized'],
    ['an archived family', 'update family set archived_at = now()', 401, 'unauthorized'],
    [
      'a deleted family',
      'update family set archived_at = now(), deleted_at = now()',
      404,
      'family_not_found',
    ],
  ])('tells nothing to %s, however long it has waited', async (_, ending, status, error) => {
    const { db } = scene.database
    const company = await createCompany(db, `waiting-${scene.serial()}`)
    const { id } = await scene.uploaded(scene.sbom(), { token: await scene.token(company) })
    const waiting = read(id, { token: await resultsToken(company), query: '?wait=30' })
    await sleep(300)
    await sql`${sql.raw(ending)} where workspace_id = ${company.workspaceId}`.execute(db)
    await markMatched(db, company.workspaceId, [id], testNow)
    expect(await waiting).toMatchObject({ status, body: { error } })
  })

  it('is over for a client that closed its half with the request', async () => {
    const { id } = await scene.uploaded(scene.sbom())
    const head = `GET /api/v1/sboms/${id}?wait=20 HTTP/1.1\r\nHost: x\r\n`
    const socket = connect({ port: scene.http.port, host: '127.0.0.1', allowHalfOpen: true })
    const begunAt = performance.now()
    socket.end(`${head}Authorization: Bearer ${await resultsToken()}\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"status":"parsed"/)
    expect(performance.now() - begunAt).toBeLessThan(15_000)
  })

  it('ends when whoever asked has gone', async () => {
    const { id } = await scene.uploaded(scene.sbom())
    const { database } = scene
    const pool = createPool(database.direct, { max: 2, applicationName: 'waiting', log: console })
    const http = await startTestHttp({ database, db: createQueries<Tables>(pool), now: () => testNow })
    const lastQuery = async () => {
      const { rows } = await sql<{ at: Date | null }>`
        select max(query_start) at from pg_stat_activity
        where application_name = 'waiting' and datname = current_database()`.execute(database.db)
      return rows[0]?.at?.getTime() ?? 0
    }
    const headers = { authorization: `Bearer ${await resultsToken()}` }
    const leaving = new AbortController()
    const url = `${http.url}/api/v1/sboms/${id}?wait=30`
    const gone = fetch(url, { headers, signal: leaving.signal }).catch(() => undefined)
    const asked = new Set<number>()
    while (asked.size < 4) asked.add(await sleep(20).then(lastQuery))
    leaving.abort()
    const leftAt = performance.now()
    await gone
    // asked no more for longer than from one time to the next; otherwise it would go on for the thirty seconds
    for (let last = -1; last !== (await lastQuery());) {
      last = await lastQuery()
      await sleep(800)
    }
    expect(performance.now() - leftAt).toBeLessThan(15_000)
    await http.stop()
    await pool.end()
  })

  it.each(['wait', 'worst'])('takes any larger %s for the largest', async (name) => {
    const { id } = await scene.uploaded(scene.sbom())
    await scene.database.db.updateTable('sbom').set({ status: 'matched' }).where('id', '=', id).execute()
    for (const number of ['1000000000', '66450264071099824209920', '9'.repeat(400), '0'.repeat(20)]) {
      expect(await read(id, { query: `?${name}=${number}` }), number).toMatchObject({ status: 200 })
    }
  })

  it.each(['-1', '1.5', 'x', ''])('wants whole seconds, not "%s"', async (wait) => {
    const { id } = await scene.uploaded(scene.sbom())
    const answer = await read(id, { query: `?wait=${wait}` })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(Object.keys(refusalIn(answer.body).fields)).toEqual(['wait'])
  })
})

describe('who may read', () => {
  it.each(['no id', '00000000-0000-4000-8000-000000000000', '%00'])('%s is 404', async (id) => {
    expect(await read(id)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  it("another family's SBOM is 404", async () => {
    const { id } = await scene.uploaded(scene.sbom())
    const answer = await read(id, { token: await resultsToken(scene.other) })
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  it('an upload token is 401', async () => {
    const { id } = await scene.uploaded(scene.sbom())
    const answer = await read(id, { token: await scene.token() })
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  })

  it('has an hourly limit of its own', async () => {
    const { id } = await scene.uploaded(scene.sbom())
    const token = await resultsToken()
    const answers = await Promise.all(Array.from({ length: 65 }, () => read(id, { token })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limits.requestsPerWindow)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })
})
