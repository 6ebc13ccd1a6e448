import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { readVex } from '../../src/formats/vex/read-vex.ts'
import { writeVex } from '../../src/formats/vex/write/write-vex.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { searchComponents } from '../../src/inventory/components/search-components.ts'
import { listReported } from '../../src/views/vex/list-reported.ts'
import { selectVexEntries } from '../../src/views/vex/export-verdicts.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { readAs } from '../support/read-as.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { fixedIn, loadNvd, loadRecords } from '../matching/match-support.ts'
import { vexFormats } from '../../src/contract/vex/shapes.ts'

/** A statement binds to a component by any of its names, as records do. */

let scene: UploadScene

const cpe = (product: string, version = '1.0') => `cpe:2.3:a:acme:${product}:${version}:*:*:*:*:*:*:*`
/** As layers of Yocto write it. */
const anyPart = (product: string, version?: string) => cpe(product, version).replace(':a:', ':*:')
const npm = (name: string, version = '1.0.0') => `pkg:npm/${name}@${version}`

/** The names of component `x`, in document order; the record names the first. */
type Case = {
  rule: string
  names: (x: string) => string[]
  stated: (x: string) => string
  isCleared: boolean
}

const purls = (x: string) => [npm(x), npm(`${x}-other`)]
const cpes = (x: string) => [cpe(x), cpe(`${x}-other`)]
const binds = (rule: string, names: Case['names'], stated: Case['stated']): Case => {
  return { rule, names, stated, isCleared: true }
}
const saysNothing = (...given: Parameters<typeof binds>): Case => ({ ...binds(...given), isCleared: false })

const cases: Case[] = [
  binds('its first purl', purls, (x) => npm(x)),
  binds('its second purl', purls, (x) => npm(`${x}-other`)),
  binds('its second purl, no version', purls, (x) => `pkg:npm/${x}-other`),
  binds('its second CPE', cpes, (x) => cpe(`${x}-other`)),
  binds('its second CPE, any version', cpes, (x) => cpe(`${x}-other`, '*')),
  binds('its CPE of any part', (x) => [anyPart(x)], anyPart),
  binds('its CPE of any part, as an application', (x) => [anyPart(x)], cpe),
  binds('its CPE, of any part', cpes, anyPart),
  binds(
    'its second purl, found by its CPE',
    (x) => ['pkg:generic/x@1.0', `pkg:generic/${x}@1.0`, cpe(x)],
    (x) => `pkg:generic/${x}`,
  ),
  saysNothing('another version of its second purl', purls, (x) => npm(`${x}-other`, '2.0.0')),
  saysNothing('another purl', purls, (x) => npm(`${x}-third`)),
  saysNothing('another CPE', cpes, (x) => cpe(`${x}-third`)),
  saysNothing(
    'another version of its CPE of any part',
    (x) => [anyPart(x)],
    (x) => anyPart(x, '2.0'),
  ),
  saysNothing(
    'a CPE of another version than its own',
    (x) => [cpe(x), cpe(`${x}-other`, '2.0')],
    (x) => cpe(`${x}-other`, '2.0'),
  ),
]

/** For each format of statements and each case. */
type Subject = Case & { x: string; vexFormat: string }

const cveOf = ({ x }: Subject) => `CVE-2025-${1000 + subjects.findIndex((subject) => subject.x === x)}`

function spdx(spdxVersion: string): string {
  return JSON.stringify({
    spdxVersion,
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'product',
    documentNamespace: `https://example.com/${scene.serial()}`,
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: tool-1'] },
    packages: subjects.map(({ x, names }) => ({
      SPDXID: `SPDXRef-${x}`,
      name: x,
      versionInfo: '1.0',
      downloadLocation: 'NOASSERTION',
      externalRefs: names(x).map((referenceLocator) => ({
        referenceCategory: 'SECURITY',
        referenceType: referenceLocator.startsWith('pkg:') ? 'purl' : 'cpe23Type',
        referenceLocator,
      })),
    })),
  })
}

/** The first name is the component's own, the others were concluded. */
function cyclonedx(specVersion: string): string {
  return JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion,
    serialNumber: `urn:uuid:${scene.serial().toString().padStart(8, '0')}-395b-41f5-a30f-a58921a69b79`,
    components: subjects.map(({ x, names }) => {
      const [stated = '', ...concluded] = names(x)
      return {
        type: 'library',
        name: x,
        version: '1.0',
        ...nameOf(stated),
        evidence: {
          identity: concluded.map((concludedValue) => ({
            field: Object.keys(nameOf(concludedValue))[0],
            confidence: 0.9,
            concludedValue,
          })),
        },
      }
    }),
  })
}

const nameOf = (name: string) => (name.startsWith('pkg:') ? { purl: name } : { cpe: name })
const statedOf = ({ x, stated }: Subject) => stated(x)

const openvex = (spoken: readonly Subject[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `https://acme.example/${scene.serial()}`,
  author: 'Acme',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: spoken.map((subject) => {
    const { purl, cpe: cpe23 } = { purl: undefined, cpe: undefined, ...nameOf(statedOf(subject)) }
    return {
      vulnerability: { name: cveOf(subject) },
      products: [{ '@id': `https://acme.example/${subject.x}`, identifiers: { purl, cpe23 } }],
      status: 'not_affected',
      justification: 'component_not_present',
    }
  }),
})

const csaf = (spoken: readonly Subject[]) => ({
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    title: 'x',
    publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
    tracking: {
      id: `x-${scene.serial()}`,
      status: 'final',
      version: '1',
      current_release_date: '2026-01-01T00:00:00Z',
      initial_release_date: '2026-01-01T00:00:00Z',
      revision_history: [{ number: '1', date: '2026-01-01T00:00:00Z', summary: 'x' }],
    },
  },
  product_tree: {
    full_product_names: spoken.map((subject) => ({
      product_id: subject.x,
      name: subject.x,
      product_identification_helper: nameOf(statedOf(subject)),
    })),
  },
  vulnerabilities: spoken.map((subject) => ({
    cve: cveOf(subject),
    product_status: { known_not_affected: [subject.x] },
    flags: [{ label: 'component_not_present', product_ids: [subject.x] }],
  })),
})

const cyclonedxVex = (spoken: readonly Subject[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${scene.serial().toString().padStart(8, '1')}-395b-41f5-a30f-a58921a69b79`,
  components: spoken.map((subject) => ({
    type: 'library',
    'bom-ref': subject.x,
    name: subject.x,
    ...nameOf(statedOf(subject)),
  })),
  vulnerabilities: spoken.map((subject) => ({
    id: cveOf(subject),
    analysis: { state: 'not_affected', justification: 'code_not_present' },
    affects: [{ ref: subject.x }],
  })),
})

const statementsIn = { openvex, csaf, cyclonedx: cyclonedxVex }

const subjects: Subject[] = vexFormats.flatMap((vexFormat) =>
  cases.map((each, at) => ({ ...each, vexFormat, x: `x-${vexFormat}-${at}` })),
)

const sbomFormats: [string, () => string][] = [
  ['SPDX 2.2', () => spdx('SPDX-2.2')],
  ['SPDX 2.3', () => spdx('SPDX-2.3')],
  ['CycloneDX 1.6', () => cyclonedx('1.6')],
  ['CycloneDX 1.7', () => cyclonedx('1.7')],
]

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadRecords(
    db,
    ...subjects.map((subject) => ({
      ...fixedIn(`GHSA-${subject.x}`, 'npm', subject.x, '2.0.0'),
      aliases: [cveOf(subject)],
    })),
  )
  await loadNvd(db, ...subjects.map(({ x }) => ({ criteria: cpe(x, '*'), versionEndExcluding: '2.0' })))
})
afterAll(() => scene.close())

/** The components with an open finding, and how many findings are declared otherwise. */
async function openIn(sbomId: string, of: Company): Promise<{ open: string[]; declared: number }> {
  const { secret } = await createFamilyToken(scene.database.db, of, { kind: 'results' })
  const { body } = await call(`${scene.http.url}/api/v1/sboms/${sbomId}?worst=500`, { token: secret })
  const { worst = [], matches } = readAs(SbomResult, body)
  return { open: worst.map(({ component }) => component.name).sort(), declared: matches.notAffected }
}

const uploadTo = async (of: Company, body: string) =>
  scene.uploaded(body, { token: await scene.token(of) }).then(({ id }) => id)

describe.each(sbomFormats)('of components of %s', (_, document) => {
  it('statements clear those that they name by any of their names, and no neighbour’s', async () => {
    const company = await createCompany(scene.database.db, `names-${scene.serial()}`)
    const neighbour = await createCompany(scene.database.db, `names-${scene.serial()}`)
    const body = document()
    const [mine, theirs] = [await uploadTo(company, body), await uploadTo(neighbour, body)]
    await drain(scene.database.db, testNow)
    const all = subjects.map(({ x }) => x).sort()
    expect(await openIn(mine, company)).toEqual({ open: all, declared: 0 })
    // A document replaces the one before it.
    for (const [format, statementsOn] of Object.entries(statementsIn)) {
      const spoken = subjects.filter(({ vexFormat }) => vexFormat === format)
      await scene.uploadedVex(JSON.stringify(statementsOn(spoken)), { token: await scene.token(company) })
      await drain(scene.database.db, testNow)
      const cleared = spoken.filter(({ isCleared }) => isCleared).map(({ x }) => x)
      expect(await openIn(mine, company)).toEqual({
        open: all.filter((x) => !cleared.includes(x)),
        declared: cleared.length,
      })
    }
    expect(await openIn(theirs, neighbour)).toEqual({ open: all, declared: 0 })
  })
})

describe('a component of several names', () => {
  let sbomId: string
  const [first] = subjects
  const x = first?.x ?? ''

  beforeAll(async () => {
    sbomId = await uploadTo(scene.other, spdx('SPDX-2.3'))
    await scene.uploadedVex(JSON.stringify(openvex(subjects.slice(0, 4))), {
      token: await scene.token(scene.other),
    })
    await drain(scene.database.db, testNow)
  })

  /** In the second workspace, to which no other test sends documents. */
  const family = () => ({ workspaceId: scene.other.workspaceId, familyId: scene.other.familyId })

  it.each(vexFormats)('is exported by all of them: %s', async (format) => {
    const { product, entries } = await selectVexEntries(scene.database.db, { ...family(), version: null })
    const written = writeVex(format, {
      revision: { documentId: randomUUID(), number: 1, firstAt: testNow, at: testNow },
      author: 'Acme',
      namespace: 'https://acme.example',
      address: 'https://acme.example/vex.json',
      product,
      entries,
    })
    const targets = readVex(JSON.parse(written)).statements.flatMap((statement) => statement.targets)
    const named = targets.map(({ purl, cpe: name }) => purl ?? name)
    const cleared = subjects.slice(0, 4)
    expect(named.toSorted()).toEqual(cleared.flatMap(({ names, x: name }) => names(name)).sort())
  })

  it('is found by its second name, in an SBOM and in all products', async () => {
    const { db } = scene.database
    const { workspaceId } = family()
    for (const search of [npm(`${x}-other`), `${x}-OTHER@1.0`]) {
      const query = { search, cursor: undefined }
      const listed = await listComponents(db, { workspaceId, sbomId, sort: 'name', ...query })
      expect(listed.rows.map(({ name }) => name)).toEqual([x])
      const found = await searchComponents(db, { workspaceId, hash: undefined, ...query })
      expect(found.rows.map(({ name }) => name)).toEqual([x])
    }
  })

  it('is known to be found, whichever of its names a scanner reports', async () => {
    const { vulnerabilities, ...document } = cyclonedxVex(subjects.slice(1, 3))
    const reported = vulnerabilities.map(({ analysis: _, ...entry }) => entry)
    const unknown = { ...reported[0], affects: [{ ref: 'unknown' }] }
    const component = { type: 'library', 'bom-ref': 'unknown', name: 'unknown', purl: npm('unknown') }
    const sent = {
      ...document,
      components: [...document.components, component],
      vulnerabilities: [...reported, unknown],
    }
    await scene.uploadedVex(JSON.stringify(sent), { token: await scene.token(scene.other) })
    await drain(scene.database.db, testNow)
    const { rows } = await listReported(scene.database.db, family())
    expect(rows.map((row) => row.component?.name)).toEqual(['unknown'])
  })

  it('is not of the other workspace', async () => {
    const { workspaceId } = scene.company
    const query = { workspaceId, search: npm(`${x}-other`), hash: undefined, cursor: undefined }
    expect((await searchComponents(scene.database.db, query)).rows).toEqual([])
  })
})
