import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FindingRow } from '../../src/contract/findings/lists.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import type { SbomKey } from '../../src/findings/version-slot.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { describeVulnerability } from '../../src/vulnerabilities/describe-vulnerability.ts'
import { explainFinding } from '../../src/vulnerabilities/evidence/explain-finding.ts'
import { testNow } from '../support/clock.ts'
import { addMember } from '../support/rows.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { importDeps } from '../vulndata/support.ts'

/** Inputs that users of other tools reported as answered wrongly, with the deciding records and the right answer. */
const file = join(import.meta.dirname, '../../../shared/data/cases/matching.json')
const absent = !existsSync(file)
const note = absent ? ' (skipped: the sample data is not beside the project)' : ''

type Case = {
  id: string
  records: ({ id: string } | { cve: object })[]
  /** Absent where `steps` has the uploads. */
  sboms?: object[]
  /** `decidable`: component name to a pattern of its state. */
  expect: { findings?: string[]; decidable?: Record<string, string> }[]
  steps?: string
}

const cases = absent ? [] : (JSON.parse(readFileSync(file, 'utf8')) as Case[])
const count = 22

type Listed = { name?: string; version?: string; versionInfo?: string; purl?: string }

const escaped = (text = '') => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function listedIn(sbom: { components?: Listed[]; packages?: Listed[] }): Listed[] {
  return sbom.components ?? sbom.packages ?? []
}

function asXml(sbom: object): string {
  const components = listedIn(sbom).map(
    ({ name, version, purl }) =>
      `<component type="library"><name>${escaped(name)}</name><version>${escaped(version)}</version><purl>${escaped(purl)}</purl></component>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.6" version="1"><components>${components.join('')}</components></bom>`
}

function asTagValue(sbom: object): string {
  const packages = listedIn(sbom).map(
    ({ name = '', version, versionInfo }) =>
      `PackageName: ${name}\nPackageVersion: ${version ?? versionInfo ?? ''}`,
  )
  return ['SPDXVersion: SPDX-2.3', 'DataLicense: CC0-1.0', ...packages].join('\n')
}

/** Where the expected answer is prose: the findings. */
const inWords: Record<string, string[][]> = {
  'debian-backports': [['DEBIAN-CVE-9304-46195 possible']],
  'open-range-hint': [['GHSA-9112-5f7q-jpqc exact'], ['GHSA-9112-5f7q-jpqc possible']],
  'pypi-extras': [['GHSA-9104-q4xr-rc97 exact'], ['GHSA-9104-q4xr-rc97 exact']],
  'ubuntu-binary-names': [['USN-9107-1 - exact'], ['USN-9107-1 - exact']],
  'ubuntu-priority': [['UBUNTU-CVE-9701-10002 low 9.8'], ['DEBIAN-CVE-9701-10001 low']],
  'private-package-malware': [[], ['MAL-9403-349 possible']],
  'notice-and-cve-ubuntu': [['CVE-9501-10001 exact']],
  'npm-alias-version': [['GHSA-9018-aaaa-bbbb exact']],
  'pedigree-backport': [['CVE-9117-36217 exact']],
  'scope-excluded': [['GHSA-9404-0001-aaaa exact']],
}

describe.skipIf(absent)(`cases that users reported of other tools${note}`, () => {
  let scene: UploadScene
  const folder = mkdtempSync(join(tmpdir(), 'reported-cases-'))

  beforeAll(async () => {
    scene = await UploadScene.open()
    const records = cases.flatMap((one) => one.records)
    const osv = records.filter((record) => 'id' in record).map((record) => JSON.stringify(record))
    const vulnerabilities = records.filter((record) => 'cve' in record)
    const counts = {
      resultsPerPage: vulnerabilities.length,
      startIndex: 0,
      totalResults: vulnerabilities.length,
    }
    const nvd = { ...counts, format: 'NVD_CVE', version: '2.0', vulnerabilities }
    for (const [name, content] of [
      ['osv.ndjson', osv.join('\n')],
      ['nvd.json', JSON.stringify(nvd)],
    ] as const) {
      const from = join(folder, name)
      writeFileSync(from, content)
      await importVulnerabilityData(importDeps(scene.database.db), { from, now: testNow })
    }
  })
  afterAll(async () => {
    await scene.close()
    rmSync(folder, { recursive: true })
  })

  async function expectStates(sbom: SbomKey, wanted: Record<string, string>): Promise<void> {
    const query: Parameters<typeof listComponents>[1] = {
      ...sbom,
      search: undefined,
      sort: 'name',
      cursor: undefined,
    }
    const { rows } = await listComponents(scene.database.db, query)
    for (const [name, pattern] of Object.entries(wanted)) {
      const state = rows.find((row) => row.name === name)?.decidability
      expect(state, `state of ${name}`).toMatch(new RegExp(`^(?:${pattern})$`))
    }
  }

  it('are all of them', () => {
    expect(cases.length).toBe(count)
  })

  it.each(cases.filter(({ sboms }) => sboms !== undefined))(
    '$id',
    async ({ id, sboms = [], expect: expected }) => {
      for (const [at, sbom] of sboms.entries()) {
        // GitHub's export is wrapped in an API envelope, which is refused by name
        if ('sbom' in sbom) {
          const refused = await scene.upload(JSON.stringify(sbom))
          expect(refused.status).toBe(415)
          expect(JSON.stringify(refused.body)).toContain('SPDX-2.3 inside of')
          continue
        }
        const key = await scene.matched(sbom)
        const found = (await listFindings(scene.database.db, key)).rows
        await expectStates(key, expected[at]?.decidable ?? {})
        const wanted = inWords[id]?.[at] ?? expected[at]?.findings ?? []
        expect(found.length, `findings of SBOM ${at + 1}`).toBe(wanted.length)
        for (const words of wanted)
          expect(
            found.some((finding) => isMeant(words, finding)),
            words,
          ).toBe(true)
      }
    },
  )

  it('are refused in words as XML and as tag-value, which are not read: nothing of them is stored', async () => {
    const documents = cases
      .flatMap(({ sboms = [] }) => sboms)
      .map((sbom) => [asXml(sbom), asTagValue(sbom)] as const)
    const stored = async () => (await scene.database.db.selectFrom('sbom').select('id').execute()).length
    const before = await stored()
    for (const [xml, tagValue] of documents) {
      const [first, second] = [await scene.upload(xml), await scene.upload(tagValue)]
      expect([first.status, first.body]).toMatchObject([415, { error: 'xml_unsupported' }])
      expect([second.status, second.body]).toMatchObject([400, { error: 'invalid_json' }])
    }
    expect(documents.length).toBeGreaterThan(count)
    expect(await stored()).toBe(before)
  })

  const caseOf = (id: string) => cases.find((one) => one.id === id)
  /** Sent again, as a later version of the document. */
  const sentOf = (id: string) => ({ ...caseOf(id)?.sboms?.[0], version: 2 })

  it('notice-decision: a verdict on the CVE settles the notice of that one CVE', async () => {
    const { db } = scene.database
    const { workspaceId } = scene.company
    const [, purl = ''] = /(pkg:\S+@\S+)/.exec(caseOf('notice-decision')?.steps ?? '') ?? []
    expect(purl).toContain('openvpn9503')
    const component = { type: 'library', name: 'openvpn9503', version: '2.6.9-1ubuntu4', purl }
    const key = await scene.matched({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      components: [component],
    })
    const [finding, ...others] = (await listFindings(db, key)).rows
    expect([finding?.title, others.length]).toEqual(['CVE-9503-10001', 0])
    const id = await addMember(db, workspaceId)
    const act = { workspaceId, actor: { kind: 'person' as const, id, name: 'Olga' }, now: testNow }
    const said = { verdict: 'not_affected' as const, comment: 'It was looked at.', everyVersion: false }
    await decideFindings(db, act, { findingIds: [finding?.id ?? ''], ...said })
    expect((await listFindings(db, key)).rows).toEqual([])
    for (const name of ['USN-9503-1', 'UBUNTU-CVE-9503-10001']) {
      const { affected } = await describeVulnerability(db, workspaceId, name, testNow)
      expect(
        affected.map(({ verdict }) => verdict),
        name,
      ).toEqual(['not_affected'])
    }
  })

  it('pedigree-backport: the finding shows what the SBOM says, and a member takes it over', async () => {
    const { db } = scene.database
    const key = await scene.matched(sentOf('pedigree-backport'))
    const findingId = (await listFindings(db, key)).rows[0]?.id ?? ''
    const { components } = await explainFinding(db, { workspaceId: key.workspaceId, findingId, now: testNow })
    expect(components.map(({ resolves }) => resolves)).toEqual([['CVE-9117-36217']])
  })

  it('scope-excluded: component and finding show it, and lists filter by it', async () => {
    const { db } = scene.database
    const key = await scene.matched(sentOf('scope-excluded'))
    const names = { ...key, search: undefined, sort: 'name', cursor: undefined } as const
    const listed = async (scope: 'excluded' | 'required') => [
      (await listComponents(db, { ...names, scope })).rows.map((row) => row.scope),
      (await listFindings(db, { ...key, scope })).rows.map(({ component }) => component.scope),
    ]
    expect(await listed('excluded')).toEqual([['excluded'], ['excluded']])
    expect(await listed('required')).toEqual([[], []])
  })
})

/** `id`, then, as far as given, component, grade, fix, severity and score; `-` says nothing. */
function isMeant(words: string, { title, component, grade, fixedIn, severity, score }: FindingRow): boolean {
  const [id = '', ...others] = words.split(' ')
  const facts = [component.name, grade, fixedIn, severity, String(score)]
  return id.endsWith(title) && others.every((word) => word === '-' || facts.includes(word))
}
