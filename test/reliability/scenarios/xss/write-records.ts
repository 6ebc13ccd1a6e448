import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getVulnerability } from '#contract/vulnerabilities/operations.ts'
import type { AppSession } from '../../../support/app-session.ts'
import { call } from '../../../support/http.ts'
import { payloadOf } from './payloads.ts'
import type { Target, Visit } from './write-payloads.ts'
import { readAs } from '../../../support/read-as.ts'
import { SbomReceipt } from '../../../../src/contract/sbom/shapes.ts'

const component = 'recorded'
const patienceMs = 120_000
const at = '2025-04-03T20:53:22Z'

/** OSV and NVD records that contain every payload, and an SBOM whose components they match. */
export async function writeRecords(place: Target, owner: AppSession): Promise<Visit[]> {
  const { payloads, slug } = place
  await importRecords(place)
  await untilMatched(place, await uploadMatched(place))
  const app = `/app/${slug}`
  const first = cveOf(payloads[0] ?? 0, 'osv')
  const fields = ['record', 'alias', 'package', 'reference', 'nvd', 'nvd-reference']
  return [
    { path: `${app}/vulnerabilities`, fields },
    ...payloads.flatMap((number) =>
      (['osv', 'nvd'] as const).map((source) => {
        return { path: `${app}/vulnerabilities/${cveOf(number, source)}`, fields }
      }),
    ),
    { path: `${app}/findings/${await findingOf(owner, first)}`, fields },
  ]
}

function cveOf(number: number, source: 'osv' | 'nvd'): string {
  return `CVE-2026-${(source === 'osv' ? 40_000 : 50_000) + number}`
}

async function importRecords({ cli, payloads }: Target): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'records-'))
  try {
    const osv = join(folder, 'osv.ndjson')
    await writeFile(osv, payloads.map((number) => JSON.stringify(osvRecord(number))).join('\n'))
    const nvd = join(folder, 'nvd.json')
    const vulnerabilities = payloads.map(nvdEntry)
    const envelope = { resultsPerPage: payloads.length, format: 'NVD_CVE', version: '2.0' }
    await writeFile(nvd, JSON.stringify({ ...envelope, vulnerabilities }))
    for (const file of [osv, nvd]) await cli(['vulnerabilities', 'import', file])
  } finally {
    await rm(folder, { recursive: true })
  }
}

function osvRecord(number: number): unknown {
  return {
    schema_version: '1.6.0',
    id: `GHSA-text-${number}`,
    modified: at,
    published: at,
    summary: payloadOf(number, 'record'),
    details: payloadOf(number, 'details'),
    aliases: [cveOf(number, 'osv'), payloadOf(number, 'alias')],
    severity: [{ type: 'CVSS_V3', score: payloadOf(number, 'score') }],
    references: [{ type: 'WEB', url: payloadOf(number, 'reference') }],
    affected: [
      { package: { ecosystem: 'npm', name: component }, versions: [`${number}.0.0`] },
      { package: { ecosystem: 'npm', name: payloadOf(number, 'package') }, versions: ['1.0.0'] },
    ],
  }
}

function nvdEntry(number: number): unknown {
  const criteria = `cpe:2.3:a:acme:${component}:${number}.0.0:*:*:*:*:*:*:*`
  return {
    cve: {
      id: cveOf(number, 'nvd'),
      lastModified: '2025-04-03T20:53:22.977',
      vulnStatus: 'Analyzed',
      descriptions: [{ lang: 'en', value: payloadOf(number, 'nvd') }],
      references: [{ url: payloadOf(number, 'nvd-reference'), source: payloadOf(number, 'nvd-source') }],
      configurations: [
        { nodes: [{ operator: 'OR', negate: false, cpeMatch: [{ vulnerable: true, criteria }] }] },
      ],
    },
  }
}

async function uploadMatched({ baseUrl, uploadToken: token, payloads }: Target): Promise<string> {
  const components = payloads.map((number) => ({
    type: 'library',
    name: component,
    version: `${number}.0.0`,
    purl: `pkg:npm/${component}@${number}.0.0`,
    cpe: `cpe:2.3:a:acme:${component}:${number}.0.0:*:*:*:*:*:*:*`,
  }))
  const metadata = { component: { type: 'application', name: 'Pump', version: '2.0' } }
  const body = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }
  const answer = await call(`${baseUrl}/api/v1/sboms`, { method: 'POST', token, body: JSON.stringify(body) })
  if (answer.status !== 202) throw new Error(`the SBOM was answered ${answer.status}`)
  return readAs(SbomReceipt, answer.body).id
}

async function untilMatched({ query }: Target, sbomId: string): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    const [sbom] = await query(`select status from sbom where id = '${sbomId}'`)
    if (sbom?.['status'] === 'matched') return
    if (performance.now() > until) throw new Error(`the SBOM is ${String(sbom?.['status'])}`)
    await sleep(100)
  }
}

async function findingOf(owner: AppSession, id: string): Promise<string> {
  const { affected } = await owner.call(getVulnerability, { params: { vulnerability: id } })
  const [first] = affected
  if (first === undefined) throw new Error(`${id} matched nothing`)
  return first.findingId
}
