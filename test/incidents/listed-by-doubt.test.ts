import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getFinding } from '../../src/contract/findings/operations.ts'
import { listReview } from '../../src/contract/incidents/operations.ts'
import { listFindings } from '../../src/contract/sbom/operations.ts'
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
import type { TestRecord } from '../vulndata/support.ts'

/**
 * One record matches exactly and names no listed vulnerability itself; another one of its group, which does, matches only possibly: nothing certain is
 * exploited, so no incident opens, whatever comes first.
 */

let store: TestDatabase
let http: TestHttp
let workspace: TestWorkspace
let owner: AppSession
let count = 0

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  const [first] = await createScene(store.db, { families: 10 })
  workspace = first
  owner = await AppSession.signIn(http.url, workspace.members.owner)
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

async function upload(): Promise<string> {
  const family = workspace.families[count - 1]
  const purl = `pkg:npm/pump-${count}@1.5.0`
  const body = cyclonedx({
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    components: [{ type: 'library', name: 'pump', version: '1.5.0', purl }],
  })
  const answer = await call(`${http.url}/api/v1/sboms`, { method: 'POST', token: family?.upload ?? '', body })
  expect(answer).toMatchObject({ status: 202 })
  await drain(store.db, testNow)
  return (answer.body as { id: string }).id
}

async function opened(): Promise<(string | null)[]> {
  const rows = await store.db
    .selectFrom('incident')
    .select('vuln_key')
    .where('vuln_key', '=', cve())
    .execute()
  return rows.map(({ vuln_key }) => vuln_key)
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
  const sbom = await upload()
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
  const review = await owner.call(listReview, {})
  expect(review.rows.filter(({ findingId }) => findingId === finding.id)).toMatchObject([
    { listedBy: ['kev'] },
  ])
  expect(await rematch(store.db, { now: testNow })).toMatchObject({ isConsistent: true })
})

it('an exact record that names it itself opens one', async () => {
  await publish({ ...exact(), aliases: [cve()] }, beyond())
  await list()
  await upload()
  expect(await opened()).toEqual([cve()])
})
