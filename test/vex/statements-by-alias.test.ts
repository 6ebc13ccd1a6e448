import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countFindingsOfSbom } from '../../src/findings/reads/count-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { loadRecords } from '../matching/match-support.ts'
import { importFile, record } from '../vulndata/support.ts'

/** A vulnerability has a name at each database: a statement under any of them is about the finding, whatever the finding is called. */

let scene: UploadScene

const inUbuntu = (id: string, name: string, parts: object) =>
  record(id, '-', {
    affected: [
      {
        package: { ecosystem: 'Ubuntu:24.04:LTS', name },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0-1' }] }],
      },
    ],
    ...parts,
  })

const left = 'pkg:npm/left@1.0.0'
const openvpn = 'pkg:deb/ubuntu/openvpn@1.0-1?distro=ubuntu-24.04'
const redis = 'pkg:bitnami/redis@1.0.0'

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadRecords(
    db,
    record('GHSA-aaaa-bbbb-cccc', 'npm/left', { aliases: ['CVE-2026-1001'] }),
    record('BIT-redis-2026-1002', 'Bitnami/redis', { aliases: ['CVE-2026-1002'] }),
    inUbuntu('UBUNTU-CVE-2026-1003', 'openvpn', { upstream: ['CVE-2026-1003'] }),
    inUbuntu('USN-1-1', 'openvpn', { upstream: ['CVE-2026-1003', 'UBUNTU-CVE-2026-1003'] }),
  )
  await db
    .insertInto('euvd_mapping')
    .values(['1001', '1002', '1003'].map((n) => ({ euvd_id: `EUVD-2026-${n}`, cve_id: `CVE-2026-${n}` })))
    .execute()
})
afterAll(() => scene.close())

type Stated = { id: string; purl: string; isFixed?: boolean; time?: string }

const writers = {
  OpenVEX: ({ id, purl, time = '2026-01-01T00:00:00Z' }: Stated) => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://example.com/${scene.serial()}`,
    author: 'Acme',
    timestamp: time,
    version: 1,
    statements: [
      {
        vulnerability: { name: id },
        products: [{ '@id': purl }],
        status: 'not_affected',
        justification: 'component_not_present',
      },
    ],
  }),
  CSAF: ({ id, purl, time = '2026-01-01T00:00:00Z' }: Stated) => ({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: `x ${scene.serial()}`,
      publisher: { category: 'vendor', name: 'Acme', namespace: 'https://example.com' },
      tracking: {
        id: `A-${scene.serial()}`,
        status: 'final',
        version: '1',
        initial_release_date: time,
        current_release_date: time,
        revision_history: [{ date: time, number: '1', summary: 'x' }],
      },
    },
    product_tree: {
      full_product_names: [{ product_id: 'p', name: 'p', product_identification_helper: { purl } }],
    },
    vulnerabilities: [
      {
        ...(id.startsWith('CVE-') ? { cve: id } : { ids: [{ system_name: 'x', text: id }] }),
        notes: [{ category: 'description', text: 'x' }],
        product_status: { known_not_affected: ['p'] },
        flags: [{ label: 'component_not_present', product_ids: ['p'] }],
      },
    ],
  }),
  CycloneDX: ({ id, purl }: Stated) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:00000000-0000-4000-8000-${String(scene.serial()).padStart(12, '0')}`,
    version: 1,
    components: [{ type: 'library', name: 'x', 'bom-ref': 'x', purl }],
    vulnerabilities: [
      { id, analysis: { state: 'not_affected', justification: 'code_not_present' }, affects: [{ ref: 'x' }] },
    ],
  }),
}
type Format = keyof typeof writers

const names: [id: string, purl: string][] = [
  ['GHSA-aaaa-bbbb-cccc', left],
  ['ghsa-AAAA-bbbb-cccc', left],
  ['CVE-2026-1001', left],
  ['cve-2026-1001', left],
  ['EUVD-2026-1001', left],
  ['euvd-2026-1001', left],
  ['BIT-redis-2026-1002', redis],
  ['CVE-2026-1002', redis],
  ['EUVD-2026-1002', redis],
  ['USN-1-1', openvpn],
  ['UBUNTU-CVE-2026-1003', openvpn],
  ['CVE-2026-1003', openvpn],
  ['EUVD-2026-1003', openvpn],
]

const cases = names.flatMap(([id, purl]) =>
  (Object.keys(writers) as Format[]).map((format) => ({ id, purl, format })),
)

let companies = 0

describe('a statement of not affected', () => {
  it.each(cases)('under $id in $format', async ({ id, purl, format }) => {
    const { db } = scene.database
    companies += 1
    const company = await createCompany(db, `c-${companies}`)
    const token = (await createFamilyToken(db, company)).secret
    const body = cyclonedx({ components: [{ type: 'library', name: 'x', purl }] })
    const { id: sbomId } = await scene.uploaded(body, { token })
    await drain(db, testNow)
    const { workspaceId } = company
    const before = await listFindings(db, { workspaceId, sbomId })
    expect(before.rows.length).toBe(1)
    const vex = JSON.stringify(writers[format]({ id, purl }))
    const answer = await call(`${scene.http.url}/api/v1/vex`, { method: 'POST', token, body: vex })
    expect(answer).toMatchObject({ status: 202 })
    await drain(db, testNow)
    const after = await listFindings(db, { workspaceId, sbomId, verdict: 'all' })
    expect(after.rows.map(({ title, verdict }) => [title, verdict])).toEqual([
      [before.rows[0]?.title, 'not_affected'],
    ])
  })
})

describe('an EUVD id', () => {
  const uploadedBy = async (name: string, id: string) => {
    const { db } = scene.database
    const company = await createCompany(db, name)
    const token = (await createFamilyToken(db, company)).secret
    const body = cyclonedx({ components: [{ type: 'library', name: 'x', purl: left }] })
    const { id: sbomId } = await scene.uploaded(body, { token })
    const vex = JSON.stringify(writers.OpenVEX({ id, purl: left }))
    const answer = await call(`${scene.http.url}/api/v1/vex`, { method: 'POST', token, body: vex })
    expect(answer).toMatchObject({ status: 202 })
    await drain(db, testNow)
    return { workspaceId: company.workspaceId, sbomId }
  }
  const verdictIn = async (key: { workspaceId: string; sbomId: string }) =>
    (await listFindings(scene.database.db, { ...key, verdict: 'all' })).rows.map(({ verdict }) => verdict)

  const map = async (...rows: [euvd_id: string, cve_id: string][]) => {
    const { db } = scene.database
    const lines = ['euvd_id,cve_id', ...rows.map((row) => row.join(','))]
    await importFile(db, ['mapping.csv', `${lines.join('\n')}\n`])
    await drain(db, testNow)
  }
  const kept = ['1001', '1002', '1003'].map((n): [string, string] => [`EUVD-2026-${n}`, `CVE-2026-${n}`])

  it('that is mapped after the statement has come settles it then, and one that no longer is, no more', async () => {
    const key = await uploadedBy('later', 'EUVD-2026-7')
    expect(await verdictIn(key)).toEqual([null])
    await map(...kept, ['EUVD-2026-7', 'CVE-2026-1001'])
    expect(await verdictIn(key)).toEqual(['not_affected'])
    await map(...kept)
    expect(await verdictIn(key)).toEqual([null])
  })

  it('of several CVEs is none of them', async () => {
    await map(...kept, ['EUVD-2026-8', 'CVE-2026-1001'], ['EUVD-2026-8', 'CVE-2026-9999'])
    expect(await verdictIn(await uploadedBy('several', 'EUVD-2026-8'))).toEqual([null])
  })
})

describe('statements that contradict one another', () => {
  const early = '2026-01-01T00:00:00Z'
  const late = '2026-02-01T00:00:00Z'
  const statement = (name: string, status: string, timestamp: string, aliases: string[] = []) => ({
    vulnerability: { name, aliases },
    products: [{ '@id': left }],
    status,
    timestamp,
    ...(status === 'not_affected'
      ? { justification: 'component_not_present' }
      : { action_statement: 'Update.' }),
  })
  const pairs = ['CVE-2026-1001', 'GHSA-aaaa-bbbb-cccc', 'EUVD-2026-1001'].flatMap((one, _, all) =>
    all.map((other) => [one, other] as const),
  )

  it.each(pairs)('%s is cleared early and %s affected late, and the other way round', async (one, other) => {
    const { db } = scene.database
    for (const [first, second] of [
      ['not_affected', 'affected'],
      ['affected', 'not_affected'],
    ] as const) {
      companies += 1
      const company = await createCompany(db, `c-${companies}`)
      const token = (await createFamilyToken(db, company)).secret
      const body = cyclonedx({ components: [{ type: 'library', name: 'x', purl: left }] })
      const { id: sbomId } = await scene.uploaded(body, { token })
      const document = {
        ...writers.OpenVEX({ id: one, purl: left }),
        statements: [statement(other, second, late), statement(one, first, early, [other])],
      }
      const answer = await call(`${scene.http.url}/api/v1/vex`, {
        method: 'POST',
        token,
        body: JSON.stringify(document),
      })
      expect(answer).toMatchObject({ status: 202 })
      await drain(db, testNow)
      const { workspaceId } = company
      const { rows, vulnerabilities } = await listFindings(db, { workspaceId, sbomId, verdict: 'all' })
      expect(
        rows.map(({ verdict }) => verdict),
        second,
      ).toEqual([second])
      expect(vulnerabilities).toBe(1)
      const counted = await countFindingsOfSbom(db, { workspaceId, sbomId })
      expect(counted.vulnerabilities).toBe(second === 'affected' ? 1 : 0)
    }
  })
})
