import { afterAll, beforeAll, expect, test } from 'vitest'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { renewVersionKeys } from '../../src/findings/changes/renew-keys.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { countCoverage, selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { selectUsedEcosystems } from '../../src/vulndata/ledger/in-store.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { record, matchTaken } from '../vulndata/support.ts'
import { loadNvd, loadRecords } from './match-support.ts'

/** A component matches under every key that names it, whether the record or the SBOM arrives first. */

let scene: UploadScene
let serial = 0

beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

const fixedIn = (id: string, ecosystem: string, name: string, fixed: string) =>
  record(id, '-', {
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
  })

/** As the jobs of an import do. */
async function load(...records: unknown[]): Promise<void> {
  await loadRecords(scene.database.db, ...records)
  await matchImported()
}

const matchImported = () => matchTaken(scene.database.db)

const cyclonedx = (component: object): object => {
  serial += 1
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:c0b7d854-e37b-41ba-90e1-0000000${20_000 + serial}`,
    components: [{ type: 'library', name: 'x', ...component }],
  }
}

const spdx = (references: [type: string, locator: string][]): object => {
  serial += 1
  return {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'product',
    documentNamespace: `https://x.example/${serial}`,
    packages: [
      {
        SPDXID: 'SPDXRef-P',
        name: 'x',
        externalRefs: references.map(([referenceType, referenceLocator]) => ({
          referenceType,
          referenceLocator,
        })),
      },
    ],
  }
}

/** The grade of each finding with the explanation of each record. */
async function found(key: { workspaceId: string; sbomId: string }): Promise<string[]> {
  const { db } = scene.database
  const lines: string[] = []
  for (const { id, grade } of (await listFindings(db, key)).rows) {
    const { workspaceId } = key
    const { records } = await explainFinding(db, { workspaceId, findingId: id, now: testNow })
    for (const { sentence } of records) lines.push(`${grade}: ${sentence}`)
  }
  return lines.sort()
}

const wolfi = 'pkg:apk/wolfi/own1@1.0-r3?arch=x86_64&distro=wolfi-20230201&upstream=origin1'
const table: [rule: string, sbom: () => object, records: object[], expected: string[]][] = [
  [
    'a package of Wolfi by its own name and by its origin',
    () => cyclonedx({ purl: wolfi }),
    [fixedIn('CGA-A', 'Wolfi', 'own1', '1.0-r4'), fixedIn('CGA-B', 'Wolfi', 'origin1', '1.0-r5')],
    [
      'exact: own1 1.0-r3 is inside 0 … < 1.0-r4 of CGA-A, matched by purl, exact.',
      'exact: origin1 1.0-r3 is inside 0 … < 1.0-r5 of CGA-B, matched by the package that it was built from, exact.',
    ],
  ],
  [
    'one record that names both is one finding',
    () => cyclonedx({ purl: 'pkg:apk/chainguard/own2@1.0-r3?upstream=origin2' }),
    [
      record('CGA-C', '-', {
        affected: ['own2', 'origin2'].map((name) => ({
          package: { ecosystem: 'Chainguard', name },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0-r0' }] }],
        })),
      }),
    ],
    ['exact: own2 1.0-r3 is inside 0 … < 2.0-r0 of CGA-C, matched by purl, exact.'],
  ],
  [
    'MinimOS by the origin that SPDX states in words',
    () => {
      const sbom = spdx([['purl', 'pkg:apk/minimos/own3@1.0-r3']])
      const { packages } = sbom as { packages: object[] }
      Object.assign(packages[0] ?? {}, { sourceInfo: 'built package from: origin3 1.0-r3' })
      return sbom
    },
    [fixedIn('MINI-A', 'MinimOS', 'origin3', '1.0-r4')],
    [
      'exact: origin3 1.0-r3 is inside 0 … < 1.0-r4 of MINI-A, matched by the package that it was built from, exact.',
    ],
  ],
  [
    'several purls of one SPDX package',
    () =>
      spdx([
        ['purl', 'pkg:npm/left4@1.0.0'],
        ['purl', 'pkg:pypi/left4@1.0'],
        ['purl', 'not a purl'],
      ]),
    [fixedIn('GHSA-A', 'npm', 'left4', '2.0.0'), fixedIn('PYSEC-A', 'PyPI', 'left4', '2.0')],
    [
      'exact: left4 1.0.0 is inside 0 … < 2.0.0 of GHSA-A, matched by purl, exact.',
      'exact: left4 1.0 is inside 0 … < 2.0 of PYSEC-A, matched by another purl of the component, exact.',
    ],
  ],
  [
    'a purl without data before one with data',
    () =>
      spdx([
        ['purl', 'pkg:generic/left5@1.0.0'],
        ['purl', 'pkg:npm/left5@1.0.0'],
      ]),
    [fixedIn('GHSA-B', 'npm', 'left5', '2.0.0')],
    ['exact: left5 1.0.0 is inside 0 … < 2.0.0 of GHSA-B, matched by purl, exact.'],
  ],
  [
    'purls that differ in what is not compared are one',
    () =>
      spdx([
        ['purl', 'pkg:npm/left6@1.0.0?a=1'],
        ['purl', 'pkg:npm/left6@1.0.0?a=2'],
      ]),
    [fixedIn('GHSA-C', 'npm', 'left6', '2.0.0')],
    ['exact: left6 1.0.0 is inside 0 … < 2.0.0 of GHSA-C, matched by purl, exact.'],
  ],
  [
    'versions without an order of keys are compared under each key, too',
    () =>
      spdx([
        ['purl', 'pkg:npm/left7@1.0.0'],
        ['purl', 'pkg:maven/org.x/left7@1.0.0'],
      ]),
    [fixedIn('GHSA-D', 'Maven', 'org.x:left7', '1.0.1')],
    [
      'exact: org.x:left7 1.0.0 is inside 0 … < 1.0.1 of GHSA-D, matched by another purl of the component, exact.',
    ],
  ],
  [
    'a repository that a record names, beside a CPE',
    () => cyclonedx({ purl: 'pkg:github/o/r8@1.0.0', cpe: 'cpe:2.3:a:o:r8:1.0.0:*:*:*:*:*:*:*' }),
    [fixedIn('GHSA-E', 'GitHub Actions', 'o/r8', '2.0.0')],
    [
      'exact: o/r8 1.0.0 is inside 0 … < 2.0.0 of GHSA-E, matched by the repository that the purl names, exact.',
    ],
  ],
]

test.each(table)('%s: the records come first', async (_, sbom, records, expected) => {
  await load(...records)
  expect(await found(await scene.matched(sbom()))).toEqual(expected.toSorted())
})

test.each(table)('%s: the SBOM comes first', async (_, sbom, records, expected) => {
  const withdrawn = { withdrawn: '2025-07-01T00:00:00Z', modified: '2025-07-01T00:00:00Z' }
  await load(...records.map((one) => ({ ...one, ...withdrawn })))
  const key = await scene.matched(sbom())
  expect(await found(key)).toEqual([])
  await load(...records.map((one) => ({ ...one, modified: '2025-08-01T00:00:00Z' })))
  await matchSbom(scene.database.db, { ...key, now: testNow })
  expect(await found(key)).toEqual(expected.toSorted())
})

test.each([
  ['an application', 'a'],
  ['an operating system', 'o'],
  ['hardware', 'h'],
])('a CPE of any part is %s', async (_, part) => {
  const criteria = `cpe:2.3:${part}:acme-${part}:thing:*:*:*:*:*:*:*:*`
  await loadNvd(scene.database.db, { criteria, versionEndExcluding: '2.0' })
  await matchImported()
  const sbom = cyclonedx({ cpe: `cpe:2.3:*:acme-${part}:thing:1.0:*:*:*:*:*:*:*` })
  expect((await found(await scene.matched(sbom))).length).toBe(1)
})

test('the data on the repository beside a CPE are loaded for it', async () => {
  expect(await selectUsedEcosystems(scene.database.db)).toContain('GitHub Actions')
})

test('covered is what data on any of its keys decide about', async () => {
  const state = async (key: { workspaceId: string; sbomId: string }) => {
    const kept = await selectCoverage(scene.database.db, key)
    expect(await countCoverage(scene.database.db, key)).toEqual(kept)
    return Object.entries(kept).find(([, count]) => count > 0)?.[0]
  }
  // NVD is loaded in part, the CVE List and NuGet not at all
  const cpe = 'cpe:2.3:a:o:r9:1.0.0:*:*:*:*:*:*:*'
  const repository = await scene.matched(cyclonedx({ purl: 'pkg:github/o/r9@1.0.0', cpe }))
  const before = await state(repository)
  await load(fixedIn('GHSA-F', 'GitHub Actions', 'o/r9', '0.5.0'))
  await markWhole('osv:GitHub Actions')
  expect([before, await state(repository)]).toEqual(['dataNotLoaded', 'covered'])
  const purls: [string, string][] = [
    ['purl', 'pkg:nuget/left9@1.0.0'],
    ['purl', 'pkg:npm/left9@1.0.0'],
  ]
  const two = await scene.matched(spdx(purls))
  const one = await scene.matched(spdx(purls.slice(0, 1)))
  await markWhole('osv:npm')
  expect([await state(one), await state(two)]).toEqual(['dataNotLoaded', 'covered'])
})

async function markWhole(name: string): Promise<void> {
  await scene.database.db
    .updateTable('data_source')
    .set({ is_whole: true, last_success_at: testNow })
    .where('name', '=', name)
    .execute()
}

test('an order of versions that changes renews the keys of every name', async () => {
  const { db } = scene.database
  const keys = () =>
    db
      .selectFrom('identity_key')
      .select(['identity_id', 'number', 'version_key', 'decidability'])
      .orderBy('identity_id')
      .orderBy('number')
      .execute()
  const before = await keys()
  expect(before.length).toBeGreaterThan(5)
  await db.updateTable('identity_key').set({ version_key: null, decidability: 'uncomparable' }).execute()
  await db.updateTable('component_identity').set({ key_generation: 0 }).execute()
  await renewVersionKeys(db, { now: testNow, log: { info: () => undefined } })
  expect(await keys()).toEqual(before)
})

test('matching everything again changes nothing', async () => {
  expect((await rematch(scene.database.db, { now: testNow })).matches).toMatchObject({
    added: 0,
    removed: 0,
    changed: 0,
  })
})
