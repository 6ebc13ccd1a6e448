import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdvisoryContent } from '../../src/contract/advisories.ts'
import { prefillAdvisory } from '../../src/views/advisories/prefill-advisory.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { addVersion, npm } from '../support/rows.ts'
import { applyDocument, VerdictScene } from '../vex/verdict-scene.ts'

let scene: VerdictScene
const versions: Record<string, string> = {}
let content: AdvisoryContent

/** `1.0` is undecided, `2.0` decided not affected, `3.0` affected as a document says, `4.0` fixed; `5.0` has no finding of it. */
beforeAll(async () => {
  scene = await VerdictScene.open()
  await addRecord(scene.db, {
    id: 'GHSA-pppp-aaaa-dddd',
    group: 'CVE-2024-2001',
    aliases: ['CVE-2024-2001'],
    affected: [{ ecosystem: 'npm', name: 'pad', scheme: 'semver', ranges: [['0', null]] }],
  })
  await scene.next()
  versions['1.0'] = scene.versionId
  for (const name of ['2.0', '3.0', '4.0', '5.0'])
    versions[name] = await addVersion(scene.db, scene.family, name)
  for (const [name, id] of Object.entries(versions)) {
    await scene.upload([npm(name === '5.0' ? 'right' : 'pad', '1.0.0')], id)
  }
  await scene.decide([await scene.findingId('pad', '2.0')], {
    justification: 'vulnerable_code_not_in_execute_path',
  })
  await applyDocument(scene.db, scene.family, {
    versionId: versions['3.0'] ?? '',
    statements: [
      {
        vulnerabilityIds: ['CVE-2024-2001'],
        verdict: 'affected',
        action: 'Close port 8443.',
        targets: [{ kind: 'component', purl: 'pkg:npm/pad' }],
      },
    ],
  })
  await scene.decide([await scene.findingId('pad', '4.0')], { verdict: 'fixed', comment: 'Patched.' })
  await addExploited(scene.db, { source: 'kev', cveId: 'CVE-2024-2001' })
  content = await prefillAdvisory(scene.db, scene.workspaceId, 'CVE-2024-2001')
}, 120_000)
afterAll(() => scene.close())

test('is about the versions with findings of the vulnerability, by their names', () => {
  expect(content).toMatchObject({ title: 'CVE-2024-2001 in Family 1', summary: '', tlp: 'WHITE' })
  const named = content.products.map(({ versionId, family, version }) => ({ versionId, family, version }))
  const expected = ['1.0', '2.0', '3.0', '4.0'].map((version) => ({
    versionId: versions[version] ?? '',
    family: 'Family 1',
    version,
  }))
  expect(named.toSorted((a, b) => a.version.localeCompare(b.version))).toEqual(expected)
})

test('says of each what is in force, and of the undecided that it is looked at', () => {
  const [vulnerability] = content.vulnerabilities
  const said = new Map(vulnerability?.statuses.map(({ versionId, ...row }) => [versionId, row]))
  const unexplained = { justification: null, impact: '' }
  expect(['1.0', '2.0', '3.0', '4.0'].map((version) => said.get(versions[version] ?? ''))).toEqual([
    { status: 'under_investigation', ...unexplained },
    {
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact: 'We never call it.',
    },
    { status: 'affected', ...unexplained },
    { status: 'fixed', ...unexplained },
  ])
})

test('has what users of affected versions were told to do', () => {
  expect(content.vulnerabilities[0]?.remediations).toEqual([
    { category: 'mitigation', details: 'Close port 8443.', url: '', versionIds: [versions['3.0']] },
  ])
})

test('has the names of the vulnerability, the catalogue that lists it, and the links of its records', () => {
  expect(content.vulnerabilities).toMatchObject([
    {
      cve: 'CVE-2024-2001',
      ids: [{ system: 'GitHub Security Advisory', text: 'GHSA-pppp-aaaa-dddd' }],
      exploits: [{ catalogue: 'kev', listedOn: '2025-12-01' }],
      references: [{ summary: 'advisories.example', url: 'https://advisories.example/GHSA-pppp-aaaa-dddd' }],
    },
  ])
})

test('says nothing of another workspace, and refuses what no record knows', async () => {
  const other = await prefillAdvisory(scene.db, scene.otherWorkspaceId, 'CVE-2024-2001')
  expect(other).toMatchObject({ title: 'CVE-2024-2001 in our products', products: [] })
  const unknown = prefillAdvisory(scene.db, scene.workspaceId, 'CVE-2099-9999')
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
})

test('leaves a justification that tools read differently to a person, and keeps one that they read alike', async () => {
  for (const [name, rawJustification] of [
    ['6.0', 'requires_dependency'],
    ['7.0', 'requires_configuration'],
  ] as const) {
    const versionId = await addVersion(scene.db, scene.family, name)
    await scene.upload([npm('pad', '1.0.0')], versionId)
    await applyDocument(scene.db, scene.family, {
      versionId,
      statements: [
        {
          vulnerabilityIds: ['CVE-2024-2001'],
          verdict: 'not_affected',
          justification: 'vulnerable_code_cannot_be_controlled_by_adversary',
          rawJustification,
          targets: [{ kind: 'component', purl: 'pkg:npm/pad' }],
        },
      ],
    })
    versions[name] = versionId
  }
  const { vulnerabilities } = await prefillAdvisory(scene.db, scene.workspaceId, 'CVE-2024-2001')
  const rows = vulnerabilities[0]?.statuses ?? []
  const said = (name: string) => rows.find(({ versionId }) => versionId === versions[name])
  expect(said('6.0')).toMatchObject({ status: 'not_affected', justification: null })
  expect(said('7.0')).toMatchObject({
    status: 'not_affected',
    justification: 'vulnerable_code_cannot_be_controlled_by_adversary',
  })
})
