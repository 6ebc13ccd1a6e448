import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readResult, readSbomReceipt } from '../../client/src/answers.ts'
import { junitReport } from '../../client/src/reports/junit.ts'
import { markdownReport } from '../../client/src/reports/markdown.ts'
import { sarifReport } from '../../client/src/reports/sarif.ts'
import { describeResult } from '../../client/src/summary.ts'
import { DailyFacts } from '../../src/notices/daily-facts.ts'
import { selectWeeklyReport } from '../../src/notices/weekly/weekly-facts.ts'
import { listDependencies } from '../../src/contract/dependencies/operations.ts'
import {
  exportComponents,
  exportComponentUses,
  exportFindings,
  exportVulnerabilities,
} from '../../src/contract/export-operations.ts'
import type { FindingCounts } from '../../src/contract/findings/counts.ts'
import { listComponentUses } from '../../src/contract/inventory/operations.ts'
import { getMetrics } from '../../src/contract/metrics/operations.ts'
import {
  getFamily,
  getFamilyBadge,
  getFamilyHistory,
  listFamilies,
} from '../../src/contract/products/operations.ts'
import { compareSboms, getSbom, listComponents, listFindings } from '../../src/contract/sbom/operations.ts'
import {
  getVulnerability,
  listExploited,
  listVulnerabilities,
} from '../../src/contract/vulnerabilities/operations.ts'
import { later, testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { type Answer, call, endBoth } from '../support/http.ts'
import { addExploited } from '../support/records.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { loadRecords } from '../matching/match-support.ts'
import { record } from '../vulndata/support.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

/** What is open in one SBOM, as every page, result, file, report and mail counts it: before, between and after VEX documents. */

let sbom: string
let nothing: string

const below = (ecosystem: string, name: string) => ({
  package: { ecosystem, name },
  ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0-1' }] }],
})
const ofSystem = (id: string, ecosystem: string, name: string, ...cves: string[]) =>
  record(id, '-', { affected: [below(ecosystem, name)], upstream: cves })
const cve = (number: number) => `CVE-2026-${1000 + number}`

/** Notices of one CVE and of several; of these one, none or all have a record of their own. */
const records = [
  ofSystem('DSA-5001-1', 'Debian:12', 'openssl', cve(1)),
  ofSystem(`DEBIAN-${cve(1)}`, 'Debian:12', 'openssl', cve(1)),
  ofSystem('DSA-5002-1', 'Debian:12', 'curl', cve(2), cve(3)),
  ofSystem(`DEBIAN-${cve(2)}`, 'Debian:12', 'curl', cve(2)),
  ofSystem('RHSA-2026:0001', 'Red Hat:enterprise_linux:9::appstream', 'nginx', cve(4), cve(5)),
  ofSystem('USN-6001-1', 'Ubuntu:24.04:LTS', 'openvpn', cve(6)),
  ofSystem('USN-6002-1', 'Ubuntu:24.04:LTS', 'bind9', cve(7), cve(8)),
  ofSystem(`UBUNTU-${cve(7)}`, 'Ubuntu:24.04:LTS', 'bind9', cve(7)),
  ofSystem(`UBUNTU-${cve(8)}`, 'Ubuntu:24.04:LTS', 'bind9', cve(8)),
  record('GHSA-curl-curl-curl', 'npm/curl-client', {
    aliases: [cve(2)],
    database_specific: { severity: 'CRITICAL' },
  }),
  // what a withdrawn record names counts nowhere
  record('PYSEC-2026-1', 'npm/old-client', { aliases: ['GHSA-gone-gone-gone'] }),
  record('GHSA-gone-gone-gone', 'npm/old-client', {
    aliases: [cve(9), cve(10)],
    withdrawn: testNow.toISOString(),
  }),
  record('MAL-2026-1', 'npm/evil', {}),
]

const purls = {
  openssl: 'pkg:deb/debian/openssl@1.0-1?arch=source&distro=debian-12',
  curl: 'pkg:deb/debian/curl@1.0-1?arch=source&distro=debian-12',
  libcurl4: 'pkg:deb/debian/libcurl4@1.1-1?arch=amd64&distro=debian-12&upstream=curl',
  nginx: 'pkg:rpm/redhat/nginx@1.0-1.el9?arch=x86_64&distro=rhel-9.4',
  openvpn: 'pkg:deb/ubuntu/openvpn@1.0-1?arch=source&distro=ubuntu-24.04',
  bind9: 'pkg:deb/ubuntu/bind9@1.0-1?arch=source&distro=ubuntu-24.04',
  client: 'pkg:npm/curl-client@1.0.0',
  old: 'pkg:npm/old-client@1.0.0',
  evil: 'pkg:npm/evil@1.0.0',
  harmless: 'pkg:npm/harmless@1.0.0',
}
type Name = keyof typeof purls
const names = Object.keys(purls) as Name[]

const family = () => acme.families[0]?.id ?? ''

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
  await loadRecords(store.db, ...records)
  await store.db.updateTable('data_source').set({ is_whole: true, last_success_at: testNow }).execute()
  await addExploited(store.db, { source: 'kev', cveId: cve(6) })
  const body = cyclonedx({
    metadata: { component: { type: 'application', name: 'pump', version: '1.0', 'bom-ref': 'pump' } },
    components: names.map((name) => ({ type: 'library', 'bom-ref': name, name, purl: purls[name] })),
    dependencies: [{ ref: 'pump', dependsOn: names }],
  })
  nothing = await sent('/api/v1/sboms', cyclonedx({ components: [] }), acme.families[1]?.upload)
  sbom = await sent('/api/v1/sboms', body)
})
afterAll(() => endBoth(http, store))

async function sent(path: string, body: string, token = acme.families[0]?.upload ?? ''): Promise<string> {
  const answer = await call(`${http.url}${path}`, { method: 'POST', token, body })
  expect(answer).toMatchObject({ status: 202 })
  await drain(store.db, testNow)
  return (answer.body as { id: string }).id
}

type Said = [name: Name, status: 'not_affected' | 'fixed', ...ids: (number | string)[]]

/** A document of one source, which takes the place of the one before. */
async function declared(...said: Said[]): Promise<void> {
  const statements = said.flatMap(([name, status, ...ids]) =>
    ids.map((id) => ({
      vulnerability: { name: typeof id === 'string' ? id : cve(id) },
      products: [{ '@id': purls[name] }],
      status,
      ...(status === 'fixed' ? {} : { justification: 'vulnerable_code_not_present' }),
    })),
  )
  const head = { '@context': 'https://openvex.dev/ns/v0.2.0', '@id': `https://acme.example/${said.length}` }
  const rest = { author: 'Acme', timestamp: '2026-01-01T00:00:00Z', version: 1, statements }
  await sent('/api/v1/vex', JSON.stringify({ ...head, ...rest }))
}

/** `findings`, distinct `vulnerabilities`, `exploited` and `malware` among the findings, and what is `settled`. */
type Counts = Partial<Record<'findings' | 'vulnerabilities' | 'exploited' | 'malware' | 'settled', number>>

const ofCounts = ({ total, notAffected, fixed, ...rest }: FindingCounts): Counts => ({
  findings: total,
  vulnerabilities: rest.vulnerabilities,
  exploited: rest.exploited,
  malware: rest.malware,
  settled: notAffected + fixed,
})
const sum = (values: Iterable<number | string | null>) =>
  [...values].reduce<number>((total, value) => total + Number(value), 0)
const among = (counts: FindingCounts) => ({ findings: sum(Object.values(counts.bySeverity)) })

/** The numbers of every place that says one. */
async function told(): Promise<Record<string, Counts>> {
  return {
    ...(await toldByPages()),
    ...(await toldByLists()),
    ...(await toldByFiles()),
    ...(await toldByDigest()),
    ...(await toldByResult()),
  }
}

async function toldByPages(): Promise<Record<string, Counts>> {
  const page = await owner.call(getSbom, { params: { sbom } })
  const product = await owner.call(getFamily, { params: { family: family() } })
  const [version] = product.versions
  const row = (await owner.call(listFamilies)).rows.find(({ id }) => id === family())
  if (version === undefined || row === undefined) throw new Error('the family has a version with the SBOM')
  const { days } = await owner.call(getFamilyHistory, { params: { family: family() } })
  const metrics = await owner.call(getMetrics)
  const today = metrics.counted.at(-1)
  const badge = (await owner.call(getFamilyBadge, { params: { family: family() } })).words
  const inBadge = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(badge)?.[1] ?? 0)
  return {
    'SBOM page': ofCounts(page.findings),
    'SBOM page, by severity': among(page.findings),
    'family page': ofCounts(product.findings),
    'version of the family page': ofCounts(version.findings),
    'family list': ofCounts(row.findings),
    'family list, by severity': among(row.findings),
    'history of the family': { findings: days.at(-1)?.open ?? 0 },
    metrics: { findings: sum(Object.values(metrics.open.at(-1)?.open ?? {})) },
    'metrics of today': { exploited: today?.exploited ?? 0 },
    badge: { malware: inBadge('malware'), exploited: inBadge('known exploited') },
  }
}

async function toldByLists(): Promise<Record<string, Counts>> {
  const list = await owner.call(listFindings, { params: { sbom } })
  const malware = await owner.call(listFindings, { params: { sbom }, query: { recordClass: 'malware' } })
  const all = await owner.call(listVulnerabilities)
  const first = await owner.call(listExploited)
  const components = await owner.call(listComponents, { params: { sbom } })
  const uses = await owner.call(listComponentUses)
  const tree = await owner.call(listDependencies, { params: { sbom } })
  return {
    'list of findings': {
      findings: list.total,
      vulnerabilities: list.vulnerabilities,
      exploited: list.exploited,
      settled: list.hidden,
    },
    'rows of findings': { findings: list.rows.length, malware: list.rows.filter(isMalware).length },
    'filter of malware': { malware: malware.total },
    'list of vulnerabilities': { findings: all.findings, vulnerabilities: all.total },
    'rows of vulnerabilities': {
      vulnerabilities: all.rows.length,
      malware: all.rows.filter((row) => row.malware).length,
    },
    'to fix first': { exploited: first.findings },
    'components of the SBOM': { findings: sum(components.rows.map(({ findings }) => findings)) },
    'components of all products': { findings: sum(uses.rows.map(({ findings }) => findings)) },
    'dependency tree': { findings: sum(tree.rows.map(({ findings }) => findings)) },
  }
}

const isMalware = (row: { class: string }) => row.class === 'malware'

type Row = Record<string, string | number | null>

function rowsIn({ body }: Answer): Row[] {
  return (Array.isArray(body) ? body : (body as { rows: Row[] }).rows) as Row[]
}

async function toldByFiles(): Promise<Record<string, Counts>> {
  const query = { format: 'json' } as const
  const findings = rowsIn(await owner.ask(exportFindings, { params: { sbom }, query }))
  const vulnerabilities = rowsIn(await owner.ask(exportVulnerabilities, { query }))
  const components = rowsIn(await owner.ask(exportComponents, { params: { sbom }, query }))
  const uses = rowsIn(await owner.ask(exportComponentUses, { query }))
  // an empty one has a row without values, that says how much was checked
  const inCsv = async (answer: Promise<Answer>) => ((await answer).body as string).split('\r\n"').length - 1
  const of = (rows: Row[]) => sum(rows.map((row) => row['findings'] ?? 0))
  const week = { week: '2026-01-05', since: later(-7 * 24 * 60), until: later(1), isMonitored: true }
  const report = await selectWeeklyReport(store.db, {
    ...week,
    workspaceId: acme.id,
    switchedOff: [],
    now: later(1),
  })
  return {
    'file of findings': {
      findings: findings.length,
      malware: findings.filter((row) => row['class'] === 'malware').length,
    },
    'file of vulnerabilities': { vulnerabilities: vulnerabilities.length },
    'CSV of findings': { findings: await inCsv(owner.ask(exportFindings, { params: { sbom } })) },
    'CSV of vulnerabilities': { vulnerabilities: await inCsv(owner.ask(exportVulnerabilities)) },
    'file of components': { findings: of(components) },
    'file of all components': { findings: of(uses) },
    'weekly mail': { findings: report?.findings?.open ?? -1 },
    'weekly mail, by severity': { findings: sum(Object.values(report?.findings?.bySeverity ?? {})) },
  }
}

async function toldByDigest(): Promise<Record<string, Counts>> {
  const facts = await new DailyFacts(store.db).of(acme.id, { since: later(-60), until: later(1) })
  const [told] = facts.flatMap((fact) => (fact.type === 'finding.new' ? [fact.data.bySeverity] : []))
  const [first] = facts.flatMap((fact) => (fact.type === 'finding.exploited' ? [fact.data] : []))
  return {
    'daily mail': { findings: sum(Object.values(told ?? {})), exploited: first?.findings ?? 0 },
  }
}

async function toldByResult(): Promise<Record<string, Counts>> {
  const token = acme.families[0]?.results ?? ''
  const { body } = await call(`${http.url}/api/v1/sboms/${sbom}?worst=500`, { token })
  const [receipt, result] = [readSbomReceipt(body), readResult(body, null)]
  if (result === null || result.worst === null) throw new Error('the findings are worked out')
  const { matches, worst } = result
  const report = { file: 'bom.json', sbom: receipt, result, judged: null }
  const sarif = JSON.parse(sarifReport(report)) as { runs: { results: { ruleId: string }[] }[] }
  const log = describeResult(receipt, result)
  const inLog = (pattern: RegExp) => Number(pattern.exec(log)?.[1] ?? 0)
  return {
    result: {
      findings: matches.total,
      exploited: matches.exploited,
      malware: matches.malware,
      settled: matches.notAffected,
    },
    'result, by severity': { findings: sum(Object.values(matches.bySeverity)) },
    'result, by grade': { findings: sum(Object.values(matches.byGrade)) },
    'worst of the result': {
      findings: worst.length,
      exploited: worst.filter(({ exploited }) => exploited).length,
      malware: worst.filter(({ malware }) => malware).length,
    },
    'log of the client': {
      findings: inLog(/^Findings\s+(\d+)/m),
      exploited: inLog(/^\s+exploited\s+(\d+)/m),
      malware: inLog(/^\s+malware\s+(\d+)/m),
      settled: inLog(/^Not affected\s+(\d+)/m),
    },
    SARIF: { findings: sarif.runs[0]?.results.length ?? -1 },
    JUnit: { findings: junitReport(report).match(/<testcase classname="(?!SBOM Monitor)/g)?.length ?? 0 },
    'summary of the client': { findings: Number(/(\d+) findings?/.exec(markdownReport(report))?.[1] ?? -1) },
  }
}

/** The page of each listed vulnerability has as many open findings as its row. */
async function expectPagesAsRows(): Promise<void> {
  const { rows } = await owner.call(listVulnerabilities)
  for (const { id, findings } of rows) {
    const page = await owner.call(getVulnerability, { params: { vulnerability: id } })
    expect([id, page.affectedTotal - page.settledTotal]).toEqual([id, findings])
  }
}

/** A comparison counts whatever the verdicts are, as the list of all vulnerabilities does. */
async function expectComparedAsListed(): Promise<void> {
  const { rows } = await owner.call(listVulnerabilities, { query: { verdict: 'all' } })
  const facts = (row: { severity: string; grade: string; exploitedBy: string[] }) => [
    row.severity,
    row.grade,
    row.exploitedBy.join(),
  ]
  const listed = rows.map((row) => [row.id, ...facts(row)]).toSorted()
  const { findings } = await owner.call(compareSboms, { params: { sbom, other: nothing } })
  expect(findings.rows.map((row) => [row.title, ...facts(row)]).toSorted()).toEqual(listed)
  expect(findings).toMatchObject({ added: listed.length, removed: 0, kept: 0 })
  const same = await owner.call(compareSboms, { params: { sbom, other: sbom } })
  expect(same.findings).toMatchObject({ added: 0, removed: 0, kept: listed.length })
}

async function expectEverywhere(counts: Required<Counts>): Promise<void> {
  const wrong = Object.entries(await told()).flatMap(([place, said]) =>
    Object.entries(said).flatMap(([what, count]) =>
      count === counts[what as keyof Counts] ? [] : [`${place}: ${count} ${what}`],
    ),
  )
  expect(wrong).toEqual([])
  await expectPagesAsRows()
  await expectComparedAsListed()
}

describe('what is open in an SBOM is the same number everywhere', () => {
  it('before anything was said of it', () =>
    expectEverywhere({ findings: 13, vulnerabilities: 10, exploited: 1, malware: 1, settled: 0 }))

  it('where VEX settles a notice of one CVE, and some CVEs of others', async () => {
    await declared(
      ['openssl', 'not_affected', 1],
      ['nginx', 'fixed', 4],
      ['bind9', 'fixed', 7],
      ['curl', 'fixed', 3],
    )
    await expectEverywhere({ findings: 11, vulnerabilities: 9, exploited: 1, malware: 1, settled: 2 })
  })

  it('where it settles all CVEs of notices, and what is exploited', async () => {
    await declared(
      ['openssl', 'not_affected', 1],
      ['nginx', 'fixed', 4, 5],
      ['bind9', 'not_affected', 7, 8],
      ['openvpn', 'not_affected', 6],
      ['curl', 'fixed', 2, 3],
    )
    await expectEverywhere({ findings: 5, vulnerabilities: 4, exploited: 0, malware: 1, settled: 8 })
  })

  it('where it settles everything', async () => {
    await declared(
      ['openssl', 'not_affected', 1],
      ['nginx', 'fixed', 4, 5],
      ['bind9', 'not_affected', 7, 8],
      ['openvpn', 'not_affected', 6],
      ['curl', 'fixed', 2, 3],
      ['libcurl4', 'fixed', 2, 3],
      ['client', 'not_affected', 2],
      ['evil', 'fixed', 'MAL-2026-1'],
      ['old', 'fixed', 'PYSEC-2026-1'],
    )
    await expectEverywhere({ findings: 0, vulnerabilities: 0, exploited: 0, malware: 0, settled: 13 })
  })
})
