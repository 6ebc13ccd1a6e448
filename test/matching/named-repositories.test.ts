import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { countCoverage, selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { record, matchTaken } from '../vulndata/support.ts'
import { fixedIn, loadRecords } from './match-support.ts'

/** Data on GitHub Actions decide only about the repositories that their records name. */

let scene: UploadScene
let serial = 0
let repository = ''

beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())
beforeEach(() => {
  serial += 1
  repository = `owner${serial}/repository`
})

const about = (name: string, parts: Record<string, unknown> = {}) =>
  record(`GHSA-${serial}`, `-`, {
    affected: [
      {
        package: { ecosystem: 'GitHub Actions', name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
      },
    ],
    ...parts,
  })

/** As the jobs of an import do. */
async function load(...records: unknown[]): Promise<void> {
  const { db } = scene.database
  await loadRecords(db, ...records)
  await matchTaken(db)
}

async function uploaded(...components: Record<string, unknown>[]): Promise<string> {
  const { sbomId } = await scene.matched({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:c0b7d854-e37b-41ba-90e1-0000000${10_000 + serial}`,
    components: components.map((one) => ({ type: 'library', name: 'x', ...one })),
  })
  return sbomId
}

/** The counted coverage of an SBOM with one component, verified by looking at every component. */
async function stateOf(sbomId: string): Promise<string | undefined> {
  const key = { workspaceId: scene.company.workspaceId, sbomId }
  const kept = await selectCoverage(scene.database.db, key)
  expect(await countCoverage(scene.database.db, key)).toEqual(kept)
  return Object.entries(kept).find(([, components]) => components > 0)?.[0]
}

test('a repository that no record names is not covered by the data on actions, and says why', async () => {
  await load(about('some/action'))
  const sbomId = await uploaded({ purl: `pkg:github/${repository}@v1.0.0` })
  expect(await stateOf(sbomId)).toBe('notCovered')
  const { workspaceId } = scene.company
  const { rows } = await listComponents(scene.database.db, {
    workspaceId,
    sbomId,
    search: undefined,
    sort: 'name',
    cursor: undefined,
  })
  expect(rows[0]?.decidability).toBe('not_covered')
  expect(rows[0]?.reason).toContain('names this repository')
})

test('nor without a version that can be compared', async () => {
  await load(about('some/action'))
  expect(await stateOf(await uploaded({ purl: `pkg:github/${repository}@main` }))).toBe('notCovered')
})

test('a record that names it decides, also about a version that it does not affect', async () => {
  await load(about(repository))
  const decided = await stateOf(await uploaded({ purl: `pkg:github/${repository}@v3.0.0` }))
  expect(['covered', 'partlyLoaded']).toContain(decided)
})

test('so does one that comes after the upload, until it is withdrawn', async () => {
  const sbomId = await uploaded({ purl: `pkg:github/${repository}@v3.0.0` })
  expect(await stateOf(sbomId)).toBe('notCovered')
  await load(about(repository))
  expect(['covered', 'partlyLoaded']).toContain(await stateOf(sbomId))
  const withdrawn = { withdrawn: '2025-07-01T00:00:00Z', modified: '2025-07-01T00:00:00Z' }
  await load(about(repository, withdrawn))
  expect(await stateOf(sbomId)).toBe('notCovered')
})

test('an action is covered by the data on actions, whether or not a record names it', async () => {
  await load(about('some/action'))
  const decided = await stateOf(await uploaded({ purl: `pkg:githubactions/${repository}@1.0.0` }))
  expect(['covered', 'partlyLoaded']).toContain(decided)
})

test.each(['github', 'conan', 'gitlab', 'bitbucket', 'generic', 'vcpkg', 'yocto', 'nobodys-type'])(
  'data on the product of a CPE decide beside a purl of the type %s',
  async (type) => {
    const cpe = `cpe:2.3:a:${type}:zlib:1.0:*:*:*:*:*:*:*`
    const sbomId = await uploaded({ purl: `pkg:${type}/${repository}@1.0`, cpe })
    expect(await stateOf(sbomId)).toBe('dataNotLoaded')
  },
)

describe('a recipe of Conan', () => {
  const aboutRecipe = (name: string) => fixedIn(`OSV-CONAN-${name}`, 'ConanCenter', name, '2.0.0')

  test('is covered only while a record names it', async () => {
    await load(aboutRecipe(`other${serial}`))
    const sbomId = await uploaded({ purl: `pkg:conan/recipe${serial}@1.0.0` })
    expect(await stateOf(sbomId)).toBe('notCovered')
    await load(aboutRecipe(`recipe${serial}`))
    expect(['covered', 'partlyLoaded']).toContain(await stateOf(sbomId))
  })

  test('is met by such a record beside a CPE', async () => {
    const name = `recipe${serial}`
    await load(aboutRecipe(name))
    const cpe = `cpe:2.3:a:acme:${name}:1.0.0:*:*:*:*:*:*:*`
    const sbomId = await uploaded({ purl: `pkg:conan/${name}@1.0.0`, cpe })
    const { workspaceId } = scene.company
    const { rows } = await listFindings(scene.database.db, { workspaceId, sbomId })
    expect(rows.map(({ title, grade }) => `${title} ${grade}`)).toEqual([`OSV-CONAN-${name} exact`])
  })
})
