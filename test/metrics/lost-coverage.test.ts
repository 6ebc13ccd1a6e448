import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectWorkspaceCoverage } from '../../src/inventory/coverage/workspace-coverage.ts'
import { selectLostCoverage } from '../../src/metrics/days/coverage-days.ts'
import { countDays } from '../../src/metrics/days/family-days.ts'
import { later, testNow } from '../support/clock.ts'
import type { Company } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { record } from '../vulndata/support.ts'
import { loadRecords } from '../matching/match-support.ts'

/** What stops being covered is told, also where something else of its ecosystem is covered for the first time on that day. */

let scene: UploadScene
beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

const dayBefore = later(-24 * 60)
const dayAfter = later(24 * 60)

const about = (repository: string, parts: Record<string, unknown> = {}) =>
  record(`GHSA-${repository}`, '-', {
    affected: [
      {
        package: { ecosystem: 'GitHub Actions', name: `acme/${repository}` },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
      },
    ],
    ...parts,
  })
const withdrawn = { withdrawn: '2025-12-31T00:00:00Z', modified: '2025-12-31T00:00:00Z' }

async function load(...records: unknown[]): Promise<void> {
  const { db } = scene.database
  await loadRecords(db, ...records)
  await db.updateTable('data_source').set({ is_whole: true, last_success_at: testNow }).execute()
  await drain(db, testNow)
}

async function upload(of: Company, received: Date, ...repositories: string[]): Promise<void> {
  const components = repositories.map((name) => ({
    type: 'library',
    name,
    purl: `pkg:github/acme/${name}@v3.0.0`,
  }))
  const { id } = await scene.uploaded(cyclonedx({ version: scene.serial(), components }), {
    token: await scene.token(of),
  })
  const { db } = scene.database
  await drain(db, testNow)
  await db.updateTable('sbom').set({ received_at: received }).where('id', '=', id).execute()
}

async function told(of: Company) {
  const { db } = scene.database
  const { workspaceId } = of
  const lost = await selectLostCoverage(db, workspaceId, { since: testNow, until: dayAfter })
  const { lost: shown } = await selectWorkspaceCoverage(db, workspaceId, dayAfter)
  expect(shown?.ecosystems).toEqual(lost)
  return lost.map(({ state, components }) => `${state} ${components}`)
}

it('counts what no record names any more, where it was before that, and nothing that has come or gone', async () => {
  const { db } = scene.database
  const shown = async () =>
    (await selectWorkspaceCoverage(db, scene.company.workspaceId, dayAfter)).lost?.ecosystems
  await load(about('lost'), about('kept'), about('gone'))
  await upload(scene.company, dayBefore, 'lost', 'new', 'kept', 'gone')
  await upload(scene.other, dayBefore, 'kept')
  await countDays(db, dayBefore)

  await load(about('lost', withdrawn), about('gone', withdrawn), about('new'))
  await upload(scene.company, later(60), 'lost', 'new', 'kept', 'unknown', 'unheard-of')
  // that it was covered for somebody else is nobody's business
  await upload(scene.other, later(60), 'kept', 'lost', 'new')
  await countDays(db, dayAfter)

  expect(await told(scene.company)).toEqual(['not_covered 1'])
  expect(await told(scene.other)).toEqual([])

  const identities = db.updateTable('component_identity')
  await load(about('lost', { modified: '2026-01-01T00:00:00Z' }))
  expect(await shown()).toEqual([])
  // a process of the release before leaves the note where it has the identity named again
  await identities.set({ uncovered_at: testNow }).where('uncovered_at', 'is', null).execute()
  expect(await shown()).toEqual([])
})

it('shows what was covered on any day of the week, and not on the first one alone', async () => {
  const { db } = scene.database
  await load(record('GHSA-only', 'npm/only'))
  const components = [{ type: 'library', name: 'only', purl: 'pkg:npm/only@3.0.0' }]
  const token = await scene.token(scene.other)
  await scene.uploaded(cyclonedx({ version: scene.serial(), components }), { token })
  await drain(db, testNow)
  await countDays(db, later(48 * 60))
  const source = db.updateTable('data_source').where('name', '=', 'osv:npm')
  await source.set({ is_whole: false, absent_since: testNow }).execute()
  const { lost } = await selectWorkspaceCoverage(db, scene.other.workspaceId, later(72 * 60))
  expect(lost?.ecosystems).toContainEqual({ ecosystem: 'npm', state: 'no_source', components: 1 })
})
