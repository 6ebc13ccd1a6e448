import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import { prefillAdvisory } from '../../src/advisories/reads/prefill-advisory.ts'
import { testNow } from '../support/clock.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'
import { addVersion } from '../support/rows.ts'
import { applyDocument, VerdictScene } from '../vex/verdict-scene.ts'

let scene: VerdictScene
const versions: Record<string, string> = {}
let content: AdvisoryContent

/** `1.0` is undecided, `2.0` decided not affected, `3.0` affected according to a document, `4.0` fixed; `5.0` has no such finding. */
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
})
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
      references: [
        { summary: 'Advisory: advisories.example', url: 'https://advisories.example/GHSA-pppp-aaaa-dddd' },
      ],
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

describe('of how bad it is', () => {
  const sited = (type: string, url: string) => ({ type, url })
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'
  const document = {
    id: 'GHSA-qqqq-aaaa-dddd',
    severity: [
      { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N' },
      { type: 'CVSS_V3', score: `${vector}/E:P` },
    ],
    database_specific: { cwe_ids: ['CWE-0', 'CWE-79', 'CWE-80'] },
    references: [
      sited('WEB', 'https://lists.example.org/archives/list/one'),
      sited('WEB', 'https://lists.example.org/archives/list/two'),
      sited('EVIDENCE', 'https://exploits.example/poc'),
      sited('FIX', 'https://github.com/acme/pad/commit/1'),
      sited('FIX', 'https://github.com/acme/pad/commit/2'),
      sited('WEB', 'https://www.cve.org/CVERecord?id=CVE-2024-2002'),
      sited('ADVISORY', 'https://nvd.nist.gov/vuln/detail/CVE-2024-2002'),
      { url: 'http://vendor.example/advisory', tags: ['Exploit-free', 'Vendor Advisory'] },
      sited('WEB', 'javascript:alert(1)'),
      sited('WEB', 'https://www.cisa.gov/known-exploited-vulnerabilities-catalog?field_cve=CVE-2024-2002'),
    ],
  }
  let one: AdvisoryContent['vulnerabilities'][number] | undefined
  let whole: AdvisoryContent

  beforeAll(async () => {
    await addRecord(scene.db, {
      id: 'GHSA-qqqq-aaaa-dddd',
      group: 'CVE-2024-2002',
      aliases: ['CVE-2024-2002', 'BIT-pad-2024-2002', 'EUVD-2024-9', 'GO-2024-1'],
      affected: [{ ecosystem: 'npm', name: 'right', scheme: 'semver', ranges: [['0', null]] }],
      severity: 'high',
      score: 8.7,
      document,
    })
    await addExploited(scene.db, { source: 'kev', cveId: 'CVE-2024-2002' })
    whole = await prefillAdvisory(scene.db, scene.workspaceId, 'CVE-2024-2002')
    one = whole.vulnerabilities[0]
  })

  test('the severity, the newest score that CSAF 2.0 has a place for, the first known weakness and the day', () => {
    expect(whole.severity).toBe('high')
    expect(one).toMatchObject({
      scores: [{ vector, versionIds: [] }],
      cwe: 'CWE-79',
      disclosedOn: testNow.toISOString().slice(0, 10),
      discoveredOn: '',
    })
  })

  test('the weakness and the score that a record of the CVE program states, whoever added them to it', async () => {
    const described = (cweId: string) => ({ descriptions: [{ lang: 'en', description: 'n/a' }, { cweId }] })
    await addRecord(scene.db, {
      id: 'CVE-2024-2003',
      affected: [{ ecosystem: 'npm', name: 'right', scheme: 'semver', ranges: [['0', null]] }],
      document: {
        containers: {
          cna: { problemTypes: [described('CWE-0')] },
          adp: [
            { title: 'CVE Program Container' },
            { problemTypes: [described('CWE-400')], metrics: [{ cvssV3_1: { vectorString: vector } }] },
          ],
        },
      },
    })
    const { vulnerabilities } = await prefillAdvisory(scene.db, scene.workspaceId, 'CVE-2024-2003')
    expect(vulnerabilities).toMatchObject([{ cwe: 'CWE-400', scores: [{ vector, versionIds: [] }] }])
  })

  test('the ids that readers look up, and no other', () => {
    expect([one?.cve, ...(one?.ids ?? []).map(({ text }) => text)]).toEqual([
      'CVE-2024-2002',
      'EUVD-2024-9',
      'GHSA-qqqq-aaaa-dddd',
    ])
  })

  test('references by worth, one of each list, and none that the document has itself', () => {
    expect(one?.references).toEqual([
      { summary: 'Vendor advisory: vendor.example', url: 'http://vendor.example/advisory' },
      { summary: 'Advisory: nvd.nist.gov', url: 'https://nvd.nist.gov/vuln/detail/CVE-2024-2002' },
      { summary: 'Fix: github.com', url: 'https://github.com/acme/pad/commit/1' },
      { summary: 'lists.example.org', url: 'https://lists.example.org/archives/list/one' },
      { summary: 'Exploit: exploits.example', url: 'https://exploits.example/poc' },
    ])
  })

  test('one that has neither CVE nor GHSA keeps its id, with who gave it', async () => {
    await addRecord(scene.db, {
      id: 'MAL-2024-77',
      affected: [{ ecosystem: 'npm', name: 'right', scheme: 'semver', ranges: [['0', null]] }],
    })
    const { vulnerabilities } = await prefillAdvisory(scene.db, scene.workspaceId, 'MAL-2024-77')
    expect(vulnerabilities).toMatchObject([{ cve: '', ids: [{ system: 'OSV', text: 'MAL-2024-77' }] }])
  })
})
