import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import type { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { listReported } from '../../src/views/vex/list-reported.ts'
import { listStatements } from '../../src/views/vex/list-statements.ts'
import { addRecord } from '../support/records.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'

let scene: UploadScene
let company: Company

beforeAll(async () => {
  scene = await UploadScene.open()
  const affected = [{ ecosystem: 'npm', name: 'left', scheme: 'semver', ranges: [['0', null]] }] as const
  await addRecord(scene.database.db, { id: 'CVE-2024-1', affected })
})
beforeEach(async () => {
  company = await createCompany(scene.database.db, `carriers-${scene.serial()}`)
})
afterAll(() => scene.close())

const settle = () => drain(scene.database.db, testNow)
const token = async (kind: 'upload' | 'results') =>
  (await createFamilyToken(scene.database.db, company, { kind })).secret

const serialNumber = '3e671687-395b-41f5-a30f-a58921a69b79'

/** An SBOM of a product that has `left`; returns its id. */
async function upload(main: string, version = '1.0', fields: Record<string, unknown> = {}): Promise<string> {
  const document = cyclonedx({
    serialNumber: `urn:uuid:${scene.serial().toString().padStart(8, '0')}-395b-41f5-a30f-a58921a69b79`,
    metadata: { component: { type: 'application', name: 'product', 'bom-ref': 'main', purl: main } },
    components: [
      { type: 'library', 'bom-ref': 'left', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' },
    ],
    ...fields,
  })
  const { id } = await scene.uploaded(document, {
    token: await token('upload'),
    headers: { 'x-service-version': version },
  })
  return id
}

async function send(document: unknown, version?: string): Promise<VexReceipt> {
  return scene.uploadedVex(JSON.stringify(document), {
    token: await token('upload'),
    headers: version === undefined ? {} : { 'x-service-version': version },
  })
}

/** Whether the finding on `left` is open in an SBOM. */
async function isOpen(sbomId: string): Promise<boolean> {
  await settle()
  const answer = await call(`${scene.http.url}/api/v1/sboms/${sbomId}`, { token: await token('results') })
  const { total, notAffected } = readAs(SbomResult, answer.body).matches
  expect(total + notAffected).toBe(1)
  return total === 1
}

async function bindingsOf({ id }: VexReceipt): Promise<[string, string | null][]> {
  const { workspaceId } = company
  const { rows } = await listStatements(scene.database.db, {
    workspaceId,
    documentId: id,
    show: 'statements',
  })
  return rows.map(({ binding, unboundReason }) => [binding, unboundReason])
}

const openvex = (carrier: string, component = 'pkg:npm/left@1.0.0') => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `https://acme.example/${scene.serial()}`,
  author: 'Acme',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2024-1' },
      products: [{ '@id': carrier, subcomponents: [{ '@id': component }] }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    },
  ],
})

const csaf = (carrier: string) => ({
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    title: String(scene.serial()),
    publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
    tracking: { id: 'A-1', current_release_date: '2026-01-01T00:00:00Z' },
  },
  product_tree: {
    full_product_names: [
      { product_id: 'carrier', name: 'carrier', product_identification_helper: { purl: carrier } },
      { product_id: 'left', name: 'left', product_identification_helper: { purl: 'pkg:npm/left@1.0.0' } },
    ],
    relationships: [
      {
        category: 'default_component_of',
        product_reference: 'left',
        relates_to_product_reference: 'carrier',
        full_product_name: { product_id: 'both', name: 'left in carrier' },
      },
    ],
  },
  vulnerabilities: [
    {
      cve: 'CVE-2024-1',
      product_status: { known_not_affected: ['both'] },
      flags: [{ label: 'vulnerable_code_not_present', product_ids: ['both'] }],
    },
  ],
})

describe.each([
  ['OpenVEX', openvex],
  ['CSAF', csaf],
])('a carrier in %s', (_format, documentOf) => {
  it.each([
    ['pkg:generic/pump@1.0', false, 'bound'],
    ['pkg:generic/pump', false, 'bound'],
    ['pkg:generic/pump@2.0', true, 'another_product'],
    ['pkg:generic/fan@2.0', true, 'another_product'],
    ['pkg:oci/fan@2.0', false, 'bound'],
  ])('%s leaves the finding of pump 1.0 open: %s', async (carrier, open, binding) => {
    const sbomId = await upload('pkg:generic/pump@1.0')
    const receipt = await send(documentOf(carrier))
    expect(await isOpen(sbomId)).toBe(open)
    expect(await bindingsOf(receipt)).toEqual([[binding, null]])
  })

  it('clears only its own version of two', async () => {
    const [first, second] = [
      await upload('pkg:generic/pump@1.0'),
      await upload('pkg:generic/pump@2.0', '2.0'),
    ]
    await send(documentOf('pkg:generic/pump@2.0'))
    expect([await isOpen(first), await isOpen(second)]).toEqual([true, false])
  })

  it('narrows also an SBOM that comes after it, and one with another main component', async () => {
    await send(documentOf('pkg:generic/pump@2.0'))
    expect(await isOpen(await upload('pkg:generic/pump@1.0'))).toBe(true)
    expect(await isOpen(await upload('pkg:generic/pump@2.0', '1.0'))).toBe(false)
    expect(await isOpen(await upload('pkg:generic/fan@2.0'))).toBe(true)
  })
})

describe('a version that is given beside its purl', () => {
  const left = (version: string) => ({ type: 'library', name: 'left', version, purl: 'pkg:npm/left' })
  const pump = { type: 'application', name: 'pump', version: '1.0', purl: 'pkg:generic/pump' }
  const fields = { metadata: { component: pump }, components: [left('1.0.0')] }
  const judged = (component: Record<string, unknown>) =>
    JSON.parse(
      cyclonedx({
        serialNumber: `urn:uuid:${scene.serial().toString().padStart(8, '0')}-395b-41f5-a30f-a58921a69b79`,
        components: [{ ...component, 'bom-ref': 'left' }],
        vulnerabilities: [
          {
            id: 'CVE-2024-1',
            analysis: { state: 'not_affected', justification: 'code_not_present' },
            affects: [{ ref: 'left' }],
          },
        ],
      }),
    ) as unknown
  it.each([
    ['the component in it', () => openvex('pkg:generic/pump@1.0', 'pkg:npm/left@1.0.0'), false],
    ['another version of the component', () => openvex('pkg:generic/pump@1.0', 'pkg:npm/left@2.0.0'), true],
    ['the product in another version', () => openvex('pkg:generic/pump@2.0', 'pkg:npm/left@1.0.0'), true],
    ['the component as CycloneDX writes it', () => judged(left('1.0.0')), false],
    ['another version as CycloneDX writes it', () => judged(left('2.0.0')), true],
  ])('is the version of %s', async (_, document, open) => {
    const sbomId = await upload('', '1.0', fields)
    await send(document())
    expect(await isOpen(sbomId)).toBe(open)
  })

  it('names what a scanner reports and was found', async () => {
    await upload('', '1.0', {
      metadata: { component: pump },
      components: ['1.0.0', '1.0.0+b', '2.0.0'].map((version) => ({ ...left(version), 'bom-ref': version })),
      vulnerabilities: ['CVE-2024-1', 'CVE-2024-9'].map((id) => ({
        id,
        affects: ['1.0.0', '1.0.0+b'].map((ref) => ({ ref })),
      })),
    })
    await settle()
    const { rows } = await listReported(scene.database.db, { ...company })
    expect(rows.map(({ vulnerabilityIds }) => vulnerabilityIds)).toEqual([['CVE-2024-9']])
  })

  it.each([
    ['1.0', false],
    ['2.0', true],
  ])('a statement on the whole product in %s leaves it open: %s', async (version, open) => {
    const sbomId = await upload('', '1.0', fields)
    const document = openvex(`pkg:generic/pump@${version}`)
    for (const statement of document.statements)
      for (const product of statement.products) product.subcomponents = []
    await send(document)
    expect(await isOpen(sbomId)).toBe(open)
  })
})

it('a carrier that is a component of the SBOM is not another product', async () => {
  const parts = ['left', 'middle'].map((name) => ({
    type: 'library',
    name,
    version: '1.0.0',
    purl: `pkg:npm/${name}@1.0.0`,
  }))
  const sbomId = await upload('pkg:npm/pump@1.0', '1.0', { components: parts })
  await send(openvex('pkg:npm/middle@1.0.0'))
  expect(await isOpen(sbomId)).toBe(false)
})

it('a BOM-Link into the SBOM of another version says nothing about this one', async () => {
  const old = await upload('pkg:generic/pump', '1.0')
  const linked = { serialNumber: `urn:uuid:${serialNumber}`, version: 1 }
  const newer = await upload('pkg:generic/pump', '2.0', linked)
  await send(
    JSON.parse(
      cyclonedx({
        vulnerabilities: [
          {
            id: 'CVE-2024-1',
            analysis: { state: 'not_affected', justification: 'code_not_present' },
            affects: [{ ref: `urn:cdx:${serialNumber}/1#left` }],
          },
        ],
      }),
    ),
  )
  expect([await isOpen(old), await isOpen(newer)]).toEqual([true, false])
})

it('a purl that cannot be read is unbound, in the receipt and in the list', async () => {
  const sbomId = await upload('pkg:generic/pump@1.0')
  const receipt = await send(openvex('pkg:generic/pump@1.0', 'pkg:npm/'))
  expect(receipt).toMatchObject({ statements: 1, unbound: 1 })
  expect(await bindingsOf(receipt)).toEqual([['unbound', 'unreadable_identifier']])
  expect(await isOpen(sbomId)).toBe(true)
})

describe('a statement on the product in one of its versions', () => {
  it('binds on its page to the findings of the versions that it clears', async () => {
    const purl = 'pkg:generic/acme/product'
    const first = await upload(purl, '1.0')
    const second = await upload(purl, '2.0')
    await settle()
    const document = await send({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { type: 'application', name: 'product', 'bom-ref': 'main', purl } },
      vulnerabilities: [
        {
          id: 'CVE-2024-1',
          analysis: { state: 'not_affected', justification: 'code_not_reachable' },
          affects: [{ ref: 'main', versions: [{ version: '1.0', status: 'unaffected' }] }],
        },
      ],
    })
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true])
    const { rows } = await listStatements(scene.database.db, {
      workspaceId: company.workspaceId,
      documentId: document.id,
      show: 'statements',
    })
    expect(
      rows.map(({ boundFindings }) => boundFindings.map(({ productVersion }) => productVersion)),
    ).toEqual([['1.0']])
  })
})
