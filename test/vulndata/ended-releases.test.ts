import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { noteEndedReleases } from '../../src/vulndata/ledger/ended-releases.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { fixedIn, loadRecords } from '../matching/match-support.ts'

/** Old records name a release whose support is over, and no new ones will: nothing of it is covered, and what they say is found. */

let scene: UploadScene
let sbomId: string

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadRecords(
    db,
    fixedIn('DEBIAN-CVE-2020-1', 'Debian:9', 'a', '2-1'),
    fixedIn('DEBIAN-CVE-2025-1', 'Debian:12', 'b', '2-1'),
    fixedIn('ALPINE-CVE-2020-1', 'Alpine:v3.12', 'c', '2-r1'),
    fixedIn('CGA-2026-1', 'Wolfi', 'd', '2-r1'),
  )
  await db.updateTable('data_source').set({ is_whole: true }).execute()
  const purls = [
    'pkg:deb/debian/a@1-1?arch=source&distro=debian-9',
    'pkg:deb/debian/b@1-1?arch=source&distro=debian-12',
    'pkg:apk/alpine/c@1-r1?distro=alpine-3.12.1',
    'pkg:apk/wolfi/d@1-r1',
  ]
  const components = purls.map((purl, at) => ({ type: 'library', name: `c${at}`, purl }))
  sbomId = (await scene.uploaded(cyclonedx({ components }))).id
  await drain(db, testNow)
})
afterAll(() => scene.close())

async function counts(at: string): Promise<{ covered: number; noSource: number; findings: number }> {
  const { db } = scene.database
  await noteEndedReleases(db, new Date(at))
  const { covered, noSource } = await selectCoverage(db, {
    workspaceId: scene.company.workspaceId,
    sbomId,
  })
  const { rows } = await scene.database.pool.query('select from finding where closed_at is null')
  return { covered, noSource, findings: rows.length }
}

test('each from the day after its last one', async () => {
  expect(await counts('2022-05-01T12:00:00Z')).toEqual({ covered: 4, noSource: 0, findings: 4 })
  expect(await counts('2022-05-02T00:00:00Z')).toEqual({ covered: 3, noSource: 1, findings: 4 })
  expect(await counts('2022-07-01T00:00:00Z')).toEqual({ covered: 2, noSource: 2, findings: 4 })
})

test('a clock that was wrong is made good', async () => {
  expect(await counts('2040-01-01T00:00:00Z')).toEqual({ covered: 1, noSource: 3, findings: 4 })
  expect(await counts('2022-07-01T00:00:00Z')).toEqual({ covered: 2, noSource: 2, findings: 4 })
})
