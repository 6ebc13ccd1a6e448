import { afterAll, beforeAll, expect, it } from 'vitest'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { claimBeside } from '../../src/queue/claim-beside.ts'
import { claimJob } from '../../src/queue/claim.ts'
import { completeJobs } from '../../src/queue/settle.ts'
import { testNow as now } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { payloadOf } from '../support/payloads.ts'
import { addExploited, addRecord, type RecordFacts } from '../support/records.ts'
import { npm } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace, type Family } from '../support/rows.ts'

let database: TestDatabase
const listed: Family[] = []
const others: Family[] = []

const record = (id: string, name: string): RecordFacts => ({
  id,
  affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', null]] }],
})
const packageKeys = ['npm\u001flisted', 'npm\u001fother', 'npm\u001fspared']

/** Two workspaces, each with a family that has only the first package and one that has the other, exploited one. */
beforeAll(async () => {
  database = await createTestDatabase()
  for (const slug of ['acme', 'globex']) {
    const workspaceId = await addWorkspace(database.db, slug)
    others.push(await addFamily(database.db, workspaceId, 'Pump'))
    listed.push(await addFamily(database.db, workspaceId, 'Valve'))
    const spared = await addFamily(database.db, workspaceId, 'Spared')
    for (const [family, name] of [
      [others.at(-1), 'other'],
      [listed.at(-1), 'listed'],
      [spared, 'spared'],
    ] as const) {
      if (family === undefined) throw new Error('no family')
      const sbomId = await addSbom(database.db, family, { parts: [npm(name, '1.0.0')] })
      await matchSbom(database.db, { workspaceId, sbomId, now })
    }
  }
  await addRecord(database.db, record('CVE-2024-1', 'listed'))
  await addRecord(database.db, record('CVE-2024-2', 'other'))
  await addExploited(database.db, { source: 'kev', cveId: 'CVE-2024-1' })
  await database.db.deleteFrom('job').execute()
})
afterAll(() => database.drop())

const jobs = async () =>
  (await database.db.selectFrom('job').select(['kind', 'key']).orderBy('id').execute()).map(
    ({ kind, key }) => `${kind} ${key ?? ''}`,
  )
const refreshesOf = (families: Family[]) =>
  families.map(({ familyId }) => `refresh_findings ${familyId}`).toSorted()

const claim = async () => {
  const job = await claimJob(database.db, { now, worker: 'w', except: [], ignoreBackoff: false })
  return job === undefined ? [] : [job, ...(await claimBeside(database.db, job, { now, worker: 'w' }))]
}

it('works out the families with exploited findings first, opens their incidents next, and leaves out those in which nothing changes', async () => {
  await matchPackages(database.db, { packageKeys, now })
  const enqueued = await jobs()
  expect(enqueued.slice(0, 2).toSorted()).toEqual(refreshesOf(listed))
  expect(enqueued.slice(2).toSorted()).toEqual(refreshesOf(others))

  const [first, ...along] = await claim()
  if (first === undefined) throw new Error('nothing waits')
  const payload = payloadOf('refresh_findings', first)
  expect(listed.map(({ familyId }) => familyId)).toContain(payload.familyId)
  // the other family of its workspace is taken along; those of the other workspace are left to the next job
  expect(along).toHaveLength(1)
  await refreshFamilyFindings(database.db, { ...payload, now })
  expect((await claim()).map(({ kind }) => kind)).toEqual(['open_incidents'])
  const [second] = await claim()
  if (second === undefined) throw new Error('nothing else waits')
  await refreshFamilyFindings(database.db, { ...payloadOf('refresh_findings', second), now })
  await completeJobs(database.db, [first], 'w')

  await database.db.deleteFrom('job').execute()
  for (const family of [...listed, ...others]) {
    await refreshFamilyFindings(database.db, { ...family, now })
  }
  await database.db.deleteFrom('job').execute()
  await matchPackages(database.db, { packageKeys, now })
  expect(await jobs()).toEqual([])
})
