import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ComponentRow } from '../../src/contract/inventory/components.ts'
import type { Page } from '../../src/contract/page.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { listIncidents, openIncident } from '../../src/contract/incidents/operations.ts'
import {
  exportComponents,
  exportComponentUses,
  exportFindings,
  exportIncidents,
  exportVulnerabilities,
} from '../../src/contract/export-operations.ts'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import { DataBehind } from '../../src/contract/sbom/result.ts'
import { exportIncident, showEvidence } from '../../src/contract/incidents/report-operations.ts'
import { listComponentUses } from '../../src/contract/inventory/operations.ts'
import { listComponents, listFindings } from '../../src/contract/sbom/operations.ts'
import { listVulnerabilities } from '../../src/contract/vulnerabilities/operations.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { fieldOf, listIn, readAs, rowsOf } from '../support/read-as.ts'

/** Names that make a spreadsheet calculate. */
const hostile = ['=1+1', '+cmd', '-2', '@SUM(A1)', '=HYPERLINK("http://x","y")', 'a,b', 'a"b', 'a;=1', '＝1']

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let other: TestWorkspace
let viewer: AppSession
let sbomId: string

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[acme, other] = await createScene(store.db)
  viewer = await AppSession.signIn(http.url, acme.members.viewer)
  const owner = await AppSession.signIn(http.url, acme.members.owner)
  const others = Array.from({ length: 240 }, (_, index) => `plain-${index}`)
  const components = [...hostile, ...others].map((name) => ({
    type: 'library',
    name,
    version: name,
    group: name,
    'bom-ref': name,
    licenses: [{ license: { name } }],
    supplier: { name },
    purl: `pkg:npm/${encodeURIComponent(name)}@1`,
  }))
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: acme.families[0]?.upload ?? '',
    headers: { 'X-Service-Version': '=1.0' },
    body: JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components }),
  })
  expect(sent.status).toBe(202)
  sbomId = readAs(SbomReceipt, sent.body).id
  for (const title of hostile) {
    await owner.call(openIncident, {
      body: { kind: 'severe_incident', title, families: [acme.families[0]?.id ?? ''] },
    })
  }
  await drain(store.db, testNow)
})
afterAll(() => endBoth(http, store))

const lists = [
  { file: exportComponentUses, list: listComponentUses },
  { file: exportComponents, list: listComponents },
  { file: exportIncidents, list: listIncidents },
  { file: exportFindings, list: listFindings },
  { file: exportVulnerabilities, list: listVulnerabilities },
] as const
type File = (typeof lists)[number]['file']
const fileOf = (file: File, query = {}) => viewer.ask(file, { params: { sbom: sbomId }, query })

async function wholeList(list: (typeof lists)[number]['list']): Promise<unknown[]> {
  const rows: unknown[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page<unknown> = await viewer.call(list, { params: { sbom: sbomId }, query: { cursor } })
    rows.push(...page.rows)
    cursor = page.nextCursor
  }
  return rows
}

describe.each([0, 1, 2, 3, 4] as const)('an exported list (%i)', (at) => {
  const { file, list } = lists[at]

  it('has in JSON every row that the list shows, in its order', async () => {
    const answer = await fileOf(file, { format: 'json' })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(fieldOf(answer.body, 'rows')).toEqual(await wholeList(list))
  })

  it('has in CSV no text that a spreadsheet would calculate', async () => {
    const answer = await fileOf(file)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = String(answer.body).split('\r\n')
    const listed = await wholeList(list)
    const isOfFindings = list === listVulnerabilities || list === listFindings
    expect(lines).toHaveLength((isOfFindings ? Math.max(listed.length, 1) : listed.length) + 2)
    for (const cell of String(answer.body).matchAll(/(?:^|,)"(.)/gmu)) {
      expect(['=', '+', '-', '@', '＝', '\t', '\r']).not.toContain(cell[1])
    }
    if (isOfFindings) return
    expect(String(answer.body)).toContain(`"'=HYPERLINK(""http://x"",""y"")"`)
  })

  it('is recorded with what was asked for', async () => {
    await fileOf(file, { format: 'json', search: 'plain-1' })
    const { rows } = await store.pool.query<{ action: string; actor_name: string; after: unknown }>(
      'select action, actor_name, after from audit_event order by id desc limit 1',
    )
    expect(rows[0]?.action).toMatch(/^(components|incidents|findings|vulnerabilities)\.exported$/)
    expect(rows[0]).toMatchObject({
      actor_name: 'viewer of acme',
      after: { format: 'json', search: 'plain-1' },
    })
  })
})

describe('a file of findings', () => {
  it.each([3, 4] as const)('without any says how many components could be checked (%i)', async (at) => {
    const { file } = lists[at]
    const coverage = { covered: 0, components: 249 }
    expect((await fileOf(file, { format: 'json' })).body).toMatchObject({ coverage, rows: [] })
    const [head = '', row = '', ...rest] = String((await fileOf(file)).body).split('\r\n')
    expect(head).toMatch(/"components covered","components","components by old data","out of date"$/)
    expect(row).toMatch(
      /^,.*,0,249,0,"[^"]*CISA KEV: never loaded; what it lists is not marked as exploited[^"]*"$/,
    )
    expect(rest).toEqual([''])
  })

  it.each([
    ['components/export', exportComponentUses],
    ['sboms/:sbom/components/export', exportComponents],
  ] as const)('has no zero for a component that could not be checked: %s', async (_path, file) => {
    const text = String((await fileOf(file)).body)
    const [head = '', row = ''] = text.split('\r\n')
    const columns = head.split(',')
    const cells = row.split(',')
    expect(columns).toContain('"findings"')
    expect(cells[columns.indexOf('"findings"')]).toBe('')
    expect(cells[columns.indexOf('"coverage"')]).toMatch(/^"?(not_covered|data_not_loaded)"?$/)
  })
})

describe('data that are out of date', () => {
  const before = (hours: number) => new Date(testNow.getTime() - hours * 3_600_000)
  const row = { is_whole: true, last_attempt_at: testNow }

  beforeAll(async () => {
    const failing = { last_success_at: before(30), last_error: 'It answered 503.', failing_since: before(29) }
    await store.db
      .insertInto('data_source')
      .values([
        { ...row, name: 'osv:npm', ...failing },
        ...['kev', 'eukev', 'euvd'].map((name) => ({ ...row, name, last_success_at: testNow })),
      ])
      .execute()
    return async () => {
      await store.db.deleteFrom('data_source').execute()
    }
  })

  const dataIn = (body: unknown) => readAs(DataBehind, fieldOf(body, 'data'))

  it.each([exportFindings, exportVulnerabilities, exportComponents, exportComponentUses])(
    'are named in the file (%#)',
    async (file) => {
      const { body } = await fileOf(file, { format: 'json' })
      const data = dataIn(body)
      expect(data.stale).toBe(fieldOf(body, 'coverage', 'covered') ?? data.stale)
      expect(data.stale).toBeGreaterThan(200)
      expect(data.sources.filter(({ state }) => state !== 'current')).toMatchObject([
        {
          label: 'OSV: npm',
          state: 'failing',
          components: data.stale,
          failingSince: before(29).toISOString(),
        },
      ])
      const [head = '', first = ''] = String((await fileOf(file)).body).split('\r\n')
      expect(head).toMatch(/,"components by old data","out of date"$/)
      // in the client's format
      const shown = (at: Date) => at.toISOString().replace(/T(..:..).*/, ' $1 UTC')
      const age = `failing since ${shown(before(29))}, data of ${shown(before(30))}`
      const effect = `what it has published since is missing, for ${data.stale} components`
      expect(first.endsWith(`,${data.stale},"OSV: npm: ${age}; ${effect}"`)).toBe(true)
    },
  )

  it('are named in a file of incidents, which may lack one of them', async () => {
    const { body } = await fileOf(exportIncidents, { format: 'json' })
    expect(listIn(body, 'rows')).toHaveLength(hostile.length)
    expect(dataIn(body).sources.find(({ label }) => label === 'OSV: npm')).toMatchObject({ state: 'failing' })
    const [head = '', first = ''] = String((await fileOf(exportIncidents)).body).split('\r\n')
    expect(head).toMatch(/,"components by old data","out of date"$/)
    expect(first).toContain('"OSV: npm: failing since ')
  })

  it('are named in the evidence file of an incident, with how much they decide about in its products', async () => {
    const [incident] = (await viewer.call(listIncidents, {})).rows
    const asked = { params: { incident: incident?.id ?? '' } }
    const file = readAs(IncidentEvidence, (await viewer.ask(exportIncident, asked)).body)
    const data = dataIn((await fileOf(exportComponentUses, { format: 'json' })).body)
    const npm = `what it has published since is missing, for ${data.stale} components`
    expect(file.data).toEqual({ stale: data.stale, outOfDate: [expect.stringContaining(npm)] })
    expect((await viewer.ask(showEvidence, asked)).body).toContain(npm)
  })

  it('are not those of another workspace, nor named where all are current', async () => {
    const owner = await AppSession.signIn(http.url, other.members.owner)
    const families = [other.families[0]?.id ?? '']
    const { id } = await owner.call(openIncident, {
      body: { kind: 'severe_incident', title: 'Break-in', families },
    })
    const file = readAs(
      IncidentEvidence,
      (await owner.ask(exportIncident, { params: { incident: id } })).body,
    )
    expect(file.data).toEqual({ stale: 0, outOfDate: [] })
    const page = (await owner.ask(showEvidence, { params: { incident: id } })).body
    expect(page).toMatch(/Vulnerability data that were out of date<\/h2>\s*<p class="quiet">None/)
  })
})

describe('the filters in force', () => {
  it('narrow the file as they narrow the list', async () => {
    const answer = await viewer.ask(exportComponents, {
      params: { sbom: sbomId },
      query: { format: 'json', search: 'plain-23', sort: '-name' },
    })
    const rows = rowsOf(ComponentRow, answer.body)
    expect(rows.map(({ name }) => name)).toEqual([
      ...['plain-239', 'plain-238', 'plain-237', 'plain-236', 'plain-235', 'plain-234', 'plain-233'],
      ...['plain-232', 'plain-231', 'plain-230', 'plain-23'],
    ])
    expect(
      (await viewer.ask(exportIncidents, { query: { format: 'json', status: 'closed' } })).body,
    ).toMatchObject({ rows: [] })
    expect((await viewer.refused(exportIncidents, { query: { status: 'lost' } })).status).toBe(400)
  })
})
