import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { allComponents } from '../../src/inventory/components/list-components.ts'
import { countCoverage, selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { testNow } from '../support/clock.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { loadRecords } from './match-support.ts'

/** Data on other releases of a distribution, however complete, say nothing about a release without records. */

let scene: UploadScene
let sbomId: string

const record = (id: string, ecosystem: string, name: string) => ({
  id,
  modified: '2026-01-01T00:00:00Z',
  affected: [
    {
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2-1' }] }],
    },
  ],
})

const purls = [
  'pkg:deb/debian/a@1-1?arch=source&distro=debian-12',
  'pkg:deb/debian/b@1-1?arch=source&distro=debian-99',
  'pkg:apk/alpine/c@1-r1?distro=alpine-3.99.1&upstream=c',
  'pkg:apk/wolfi/d@1-r1',
  'pkg:rpm/rocky/e@1-1.el9?arch=src&distro=rocky-9',
]

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadRecords(
    db,
    record('DEBIAN-CVE-2026-1', 'Debian:12', 'x'),
    record('ALPINE-CVE-2026-1', 'Alpine:v3.20', 'x'),
    record('CGA-2026-1', 'Wolfi', 'x'),
  )
  // Rocky Linux has no record at all
  await db
    .insertInto('data_source')
    .values({ name: 'osv:Rocky Linux', is_whole: true, last_success_at: testNow })
    .execute()
  await db.updateTable('data_source').set({ is_whole: true }).execute()
  const components = purls.map((purl, at) => ({ type: 'library', name: `c${at}`, purl }))
  sbomId = (await scene.uploaded(cyclonedx({ components }))).id
  await matchSbom(db, { workspaceId: scene.company.workspaceId, sbomId, now: testNow })
})
afterAll(() => scene.close())

async function states(): Promise<string[]> {
  const key = { workspaceId: scene.company.workspaceId, sbomId }
  const { db } = scene.database
  const counted = await selectCoverage(db, key)
  expect(await countCoverage(db, key)).toEqual(counted)
  return db.transaction().execute(async (tx) => {
    const found: string[] = []
    for await (const rows of allComponents(tx, { ...key, search: undefined, sort: 'name' }))
      found.push(...rows.map(({ name, decidability }) => `${name} ${decidability}`))
    return found
  })
}

test('a release that no record speaks of is covered by nothing', async () => {
  expect(await states()).toEqual(['c0 covered', 'c1 no_source', 'c2 no_source', 'c3 covered', 'c4 covered'])
})

test('once a record does, it is covered without being matched again', async () => {
  await loadRecords(scene.database.db, record('DEBIAN-CVE-2026-2', 'Debian:99', 'y'))
  expect(await states()).toContain('c1 covered')
})
