import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeMetrics } from '../../src/metrics/reads/describe-metrics.ts'
import { fixedIn, loadRecords } from '../matching/match-support.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

/** A finding that closes because its record was withdrawn or corrected was never fixed. */

let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

const later = { modified: '2026-01-02T00:00:00Z' }
const record = (id: string, fixed = '2.0.0') => fixedIn(id, 'npm', 'pump', fixed)

async function load(...records: object[]): Promise<void> {
  await loadRecords(scene.database.db, ...records)
  await drain(scene.database.db, testNow)
}

async function upload(...components: object[]): Promise<void> {
  await scene.uploaded(cyclonedx({ serialNumber: `urn:${scene.serial()}`, components }))
  await drain(scene.database.db, testNow)
}

async function fixes(): Promise<number> {
  const { workspaceId } = scene.company
  const scope = { workspaceId, familyId: null, days: 30, timeZone: 'UTC' }
  const { all } = await describeMetrics(scene.database.db, scope, testNow)
  return all.fix.count
}

const other = { type: 'library', name: 'valve', purl: 'pkg:npm/valve@1.0.0' }
const pump = { type: 'library', name: 'pump', purl: 'pkg:npm/pump@1.0.0' }

test('a withdrawn record, a corrected one, and a component that is gone', async () => {
  await load(record('GHSA-aaaa-1111-0001'), record('GHSA-aaaa-1111-0002'), record('GHSA-aaaa-1111-0003'))
  await upload(pump, other)
  await load({ ...record('GHSA-aaaa-1111-0001'), ...later, withdrawn: '2026-01-02T00:00:00Z' })
  expect(await fixes(), 'withdrawn').toBe(0)
  await load({ ...record('GHSA-aaaa-1111-0002', '1.0.0'), ...later })
  expect(await fixes(), 'corrected').toBe(0)
  await upload(other)
  expect(await fixes(), 'gone').toBe(1)
  // a reopened finding closes for its new reason
  await upload(pump, other)
  await load({ ...record('GHSA-aaaa-1111-0002'), modified: '2026-01-03T00:00:00Z' })
  await upload(other)
  expect(await fixes(), 'gone again').toBe(2)
})
