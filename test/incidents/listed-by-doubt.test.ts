import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getFinding } from '../../src/contract/findings/operations.ts'
import { listReview } from '../../src/contract/incidents/operations.ts'
import { compareSboms, listFindings } from '../../src/contract/sbom/operations.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { loadRecords } from '../matching/match-support.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { addExploited } from '../support/records.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { importFile, type TestRecord } from '../vulndata/support.ts'

/**
 * One record matches exactly and names no listed vulnerability itself; another one of its group, which does, matches only possibly: nothing certain is
 * exploited, so no incident opens, whatever comes first.
 */

let store: TestDatabase
let http: TestHttp
let workspace: TestWorkspace
let owner: AppSession
let count = 0
/** An SBOM without components. */
let nothing: string

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  const [first] = await createScene(store.db, { families: 20 })
  workspace = first
  owner = await AppSession.signIn(http.url, workspace.members.owner)
  nothing = await post([], { family: workspace.families.at(-1) })
})
beforeEach(() => {
  count += 1
})
afterAll(() => endBoth(http, store))

const cve = () => `CVE-2026-${8_000 + count}`
const [certain, doubtful] = [() => `MAL-2026-${count}`, () => `GHSA-doub-0000-000${count}`]
const place = () => ({ ecosystem: 'npm', name: `pump-${count}` })

const exact = (): TestRecord => ({
  id: certain(),
  modified: '2026-01-01T00:00:00Z',
  affected: [{ package: place(), versions: ['1.5.0'] }],
})
/** Open, and known to affect versions below the component's alone. */
const beyond = (): TestRecord => ({
  id: doubtful(),
  modified: '2026-01-01T00:00:00Z',
  aliases: [cve(), certain()],
  affected: [
    {
      package: place(),
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
      database_specific: { last_known_affected_version_range: '<= 1.0.0' },
    },
  ],
})

async function publish(...records: TestRecord[]): Promise<void> {
  await loadRecords(store.db, ...records)
  await drain(store.db, testNow)
}

async function list(): Promise<void> {
  await addExploited(store.db, { source: 'kev', cveId: cve() })
  await refreshExploited(store.db, testNow)
  await drain(store.db, testNow)
}

const library = () => ({
  type: 'library',
  name: 'pump',
  version: '1.5.0',
  purl: `pkg:npm/pump-${count}@1.5.0`,
})

const upload = (component: object = library(), tool = 'author') =>
  post([component], { tool, family: workspace.families[count - 1] })

type Posted = { tool?: string; family: TestWorkspace['families'][number] | undefined }

async function post(components: object[], { tool = 'author', family }: Posted): Promise<string> {
  const body = cyclonedx({
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    metadata: { tools: [{ name: tool }] },
    components,
  })
  const answer = await call(`${http.url}/api/v1/sboms`, { method: 'POST', token: family?.upload ?? '', body })
  expect(answer).toMatchObject({ status: 202 })
  await drain(store.db, testNow)
  return (answer.body as { id: string }).id
}

async function opened(key = cve()): Promise<(string | null)[]> {
  const rows = await store.db.selectFrom('incident').select('vuln_key').where('vuln_key', '=', key).execute()
  return rows.map(({ vuln_key }) => vuln_key)
}

/** Nothing opened, and the only finding of the SBOM waits for a person. */
async function expectReviewOf(sbom: string): Promise<void> {
  expect(await opened()).toEqual([])
  const { rows } = await owner.call(listFindings, { params: { sbom } })
  expect(rows).toHaveLength(1)
  const finding = await owner.call(getFinding, { params: { finding: rows[0]?.id ?? '' } })
  expect(finding).toMatchObject({
    grade: 'exact',
    exploitedBy: [],
    possiblyExploited: true,
    incident: { opens: false },
  })
  expect(finding.exploited.map(({ direct }) => direct)).toEqual([false])
  const compared = await owner.call(compareSboms, { params: { sbom, other: nothing } })
  expect(compared.findings.rows).toMatchObject([{ grade: 'exact', exploitedBy: [] }])
  const review = await owner.call(listReview, {})
  expect(review.rows.filter(({ findingId }) => findingId === finding.id)).toMatchObject([
    { listedBy: ['kev'] },
  ])
  expect(await rematch(store.db, { now: testNow })).toMatchObject({ isConsistent: true })
}

type Step = () => Promise<unknown>
const both: Step = () => publish(exact(), beyond())

it.each<[string, Step[]]>([
  ['records, SBOM, catalogue', [both, upload, list]],
  ['records, catalogue, SBOM', [both, list, upload]],
  ['SBOM, catalogue, records', [upload, list, both]],
  ['the record that is in doubt last', [upload, () => publish(exact()), list, () => publish(beyond())]],
  ['the exact record last', [upload, () => publish(beyond()), list, () => publish(exact())]],
])('%s: no incident, and a person is asked', async (_, steps) => {
  for (const step of steps) await step()
  await expectReviewOf(await upload())
})

it('an exact record that names it itself opens one', async () => {
  await publish({ ...exact(), aliases: [cve()] }, beyond())
  await list()
  await upload()
  expect(await opened()).toEqual([cve()])
})

it.each<[string, (records: Step) => Step[]]>([
  ['records, SBOM, catalogue', (records) => [records, upload, list]],
  ['SBOM, catalogue, records', (records) => [upload, list, records]],
])('%s: an exact record opens none where the home database leaves the version out', async (_, order) => {
  const below = { ...beyond(), affected: [{ package: place(), versions: ['1.0.0'] }] }
  for (const step of order(() => publish({ ...exact(), aliases: [cve()] }, below))) await step()
  const sbom = await upload()
  expect(await opened()).toEqual([])
  const said = [{ grade: 'possible', exploitedBy: ['kev'] }]
  expect((await owner.call(listFindings, { params: { sbom } })).rows).toMatchObject(said)
  const compared = await owner.call(compareSboms, { params: { sbom, other: nothing } })
  expect(compared.findings.rows).toMatchObject(said)
  expect(await rematch(store.db, { now: testNow })).toMatchObject({ isConsistent: true })
})

describe('a record that is met by the CPE alone, beside one that the purl meets', () => {
  const recipe = () => ({
    ...library(),
    purl: `pkg:conan/pump-${count}@1.5.0`,
    cpe: `cpe:2.3:a:acme:pump-${count}:1.5.0:*:*:*:*:*:*:*`,
  })
  const byPurl = (): TestRecord => fixedInTwo(certain(), { ecosystem: 'ConanCenter', name: `pump-${count}` })
  /** Says that the two are one, and affects nothing. */
  const bridge = (): TestRecord =>
    fixedInTwo(doubtful(), { ecosystem: 'npm', name: `other-${count}` }, [cve(), certain()])
  const fixedInTwo = (id: string, place: object, aliases: string[] = []): TestRecord => ({
    id,
    modified: '2026-01-01T00:00:00Z',
    aliases,
    affected: [
      { package: place, ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }] },
    ],
  })

  const all: Step = async () => {
    await publishCpe()
    await publish(byPurl(), bridge())
  }
  const guessed = () => upload(recipe(), 'syft')
  const stated = () => upload(recipe(), 'author')

  async function publishCpe(): Promise<void> {
    const criteria = `cpe:2.3:a:acme:pump-${count}:*:*:*:*:*:*:*:*`
    const cpeMatch = [{ vulnerable: true, criteria, versionEndExcluding: '2.0' }]
    const nodes = [{ operator: 'OR', cpeMatch }]
    const record = { id: cve(), lastModified: '2026-01-01T00:00:00.000', configurations: [{ nodes }] }
    const feed = { resultsPerPage: 1, format: 'NVD_CVE', version: '2.0', vulnerabilities: [{ cve: record }] }
    await importFile(store.db, ['feed.json', JSON.stringify(feed)])
    await drain(store.db, testNow)
  }

  it.each<[string, Step[]]>([
    ['records, SBOM, catalogue', [all, guessed, list]],
    ['records, catalogue, SBOM', [all, list, guessed]],
    ['SBOM, catalogue, records', [guessed, list, all]],
    ['the record of the CPE last', [guessed, () => publish(byPurl(), bridge()), list, publishCpe]],
    [
      'the record of the purl last',
      [guessed, publishCpe, () => publish(bridge()), list, () => publish(byPurl())],
    ],
  ])('%s: a tool that guesses CPEs opens no incident', async (_, steps) => {
    for (const step of steps) await step()
    await expectReviewOf(await guessed())
  })

  it.each<[string, Step[]]>([
    ['before', [all, guessed, list, stated]],
    ['after', [all, stated, list]],
  ])('opens one where the author states the CPE, %s the catalogue', async (_, steps) => {
    for (const step of steps) await step()
    expect(await opened()).toEqual([cve()])
    const compared = await owner.call(compareSboms, { params: { sbom: await stated(), other: nothing } })
    expect(compared.findings.rows).toMatchObject([{ grade: 'exact', exploitedBy: ['kev'] }])
    expect(await rematch(store.db, { now: testNow })).toMatchObject({ isConsistent: true })
  })
  it.each<[string, Step, () => string]>([
    ['the purl alone, where the tool guesses', guessed, () => `CVE-2026-${9_000 + count}`],
    ['both, where the author states the CPE', stated, cve],
  ])('the incident is named by what lists the records met by %s', async (_, sent, expected) => {
    const other = `CVE-2026-${9_000 + count}`
    await publishCpe()
    await publish({ ...byPurl(), aliases: [other] }, bridge())
    await addExploited(store.db, { source: 'kev', cveId: other })
    await list()
    await sent()
    expect([...(await opened()), ...(await opened(other))]).toEqual([expected()])
  })
})
