import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FindingDetail } from '../../src/contract/findings/shapes.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { createFamilyToken } from '../support/company.ts'
import type { TestDatabase } from '../support/database.ts'
import { createSampleDatabase } from '../support/sample-database.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'

const data = join(import.meta.dirname, '../../../shared/data')
const absent = !existsSync(data)
const note = absent ? ' (skipped: the sample data is not beside the project)' : ''

type Component = { components?: Component[] }
type SampleDocument = {
  bomFormat?: string
  metadata?: { component?: Component }
  components?: Component[]
  packages?: unknown[]
}

/** Counted independently of the readers, by docs/decisions/0009, "Which components count". */
function expectedCount(document: SampleDocument): number {
  if (document.bomFormat !== 'CycloneDX') return document.packages?.length ?? 0
  const count = (list: Component[] | undefined): number =>
    (list ?? []).reduce((sum, component) => sum + 1 + count(component.components), 0)
  return count(document.components) + count(document.metadata?.component?.components)
}

const accepted = absent
  ? []
  : ['cyclonedx', 'spdx', 'containers'].flatMap((folder) =>
      readdirSync(join(data, 'sbom', folder)).map((file) => `${folder}/${file}`),
    )

const refused: [string, number, string][] = [
  ['joc-cockpit-cyclonedx-1.3.json', 415, 'unsupported_format'],
  ['scanoss-array.json', 415, 'unsupported_format'],
  ['maubot-licence-list.json', 415, 'unsupported_format'],
  ['example-spdx-3.0.json', 415, 'unsupported_format'],
  ['laravel.xml', 415, 'xml_unsupported'],
  ['powershell-tag-value.spdx', 400, 'invalid_json'],
]

describe.skipIf(absent)(`the sample documents against the sample records${note}`, () => {
  let store: TestDatabase
  let http: TestHttp
  let acme: TestWorkspace
  const received = new Map<string, SbomReceipt>()
  const explained = new Map<string, Promise<FindingDetail[]>>()

  beforeAll(async () => {
    store = await createSampleDatabase()
    http = await startTestHttp({ database: store, now: () => testNow, hasParserChildren: true })
    ;[acme] = await createScene(store.db)
    const deps = {
      db: store.db,
      log: pino({ level: 'silent' }),
      config: {
        lab: { clockOffsetFile: null, dnsServer: null, dialMap: null },
        outboundAllowedHosts: { origins: {}, bare: [] },
      },
    }
    await importVulnerabilityData(deps, {
      from: join(data, 'kev/known_exploited_vulnerabilities.json'),
      now: testNow,
    })
  }, 300_000)
  afterAll(async () => {
    await http.stop()
    await store.drop()
  })

  const send = async (file: string) => {
    const token = await createFamilyToken(store.db, {
      workspaceId: acme.id,
      familyId: acme.families[0]?.id ?? '',
      slug: '',
    })
    return call(`${http.url}/api/v1/sboms`, {
      method: 'POST',
      token: token.secret,
      headers: { 'X-Service-Version': file.slice(-100) },
      body: readFileSync(join(data, 'sbom', file)),
    })
  }

  /** Read once: several tests use the same file. */
  const findingsOf = (file: string): Promise<FindingDetail[]> => {
    const known = explained.get(file) ?? explainAll(file)
    explained.set(file, known)
    return known
  }

  const explainAll = async (file: string): Promise<FindingDetail[]> => {
    const found: FindingDetail[] = []
    let cursor: string | undefined
    do {
      const sbomId = received.get(file)?.id ?? ''
      const page = await listFindings(store.db, { workspaceId: acme.id, sbomId, cursor })
      for (const { id } of page.rows)
        found.push(await explainFinding(store.db, { workspaceId: acme.id, findingId: id, now: testNow }))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return found
  }

  it.each(accepted)('accepts %s with the right component count and matches it', async (file) => {
    const document = JSON.parse(readFileSync(join(data, 'sbom', file), 'utf8')) as SampleDocument
    const answer = await send(file)
    expect(answer).toMatchObject({ status: 202, body: { status: 'parsed', duplicate: false } })
    const receipt = readAs(SbomReceipt, answer.body)
    expect(receipt.components).toBe(expectedCount(document))
    received.set(file, receipt)
    await matchSbom(store.db, { workspaceId: acme.id, sbomId: receipt.id, now: testNow })
    expect(await send(file)).toMatchObject({
      status: 200,
      body: { id: receipt.id, status: 'matched', duplicate: true },
    })
  })

  it.each(refused)('refuses %s with %i %s', async (file, status, error) => {
    expect(await send(`not-accepted/${file}`)).toMatchObject({ status, body: { error } })
  })

  it.each(['spdx/grype-sbom.spdx.json', 'containers/spdx-syft-hashicorp_tfc-agent.spdx.json'])(
    'explains every Go and Python finding of %s',
    async (file) => {
      const findings = await findingsOf(file)
      const explained = findings.filter(({ identity }) => ['Go', 'PyPI'].includes(identity.ecosystem ?? ''))
      expect(explained.length).toBeGreaterThan(0)
      for (const finding of explained) {
        expect(finding.records.length, finding.title).toBeGreaterThan(0)
        for (const record of finding.records) {
          expect(record.source, record.recordId).toMatch(/^osv:(Go|PyPI|Bitnami)$/)
          expect(
            record.ranges.some(({ containsVersion }) => containsVersion),
            record.recordId,
          ).toBe(true)
          expect(record.sentence).toContain(record.recordId)
        }
      }
    },
  )

  it.each([
    ['CVE-2022-41723', 'golang.org/x/net', 'v0.4.0', 'GO-2023-1571', '0.7.0'],
    ['CVE-2023-49569', 'github.com/go-git/go-git/v5', 'v5.4.2', 'GO-2024-2456', '5.11.0'],
    ['CVE-2024-28180', 'gopkg.in/square/go-jose.v2', 'v2.5.1', 'GO-2024-2631', null],
    ['CVE-2022-40897', 'setuptools', '45.2.0', 'PYSEC-2022-43012', '65.5.1'],
    ['CVE-2021-3572', 'pip', '20.0.2', 'PYSEC-2021-437', '21.1'],
  ])(
    'finds %s in %s %s of the agent image, as one can check by hand',
    async (title, name, version, record, fixedIn) => {
      const findings = await findingsOf('containers/spdx-syft-hashicorp_tfc-agent.spdx.json')
      const found = findings.find(
        (finding) => finding.title === title && finding.identity.packageName === name,
      )
      expect(found).toMatchObject({ grade: 'exact', fixedIn, identity: { version } })
      expect(found?.records.map(({ recordId }) => recordId)).toContain(record)
    },
  )
})
