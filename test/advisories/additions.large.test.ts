import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AdvisoryContent, AdvisoryPreview } from '../../src/contract/advisories/shapes.ts'
import {
  changeAdvisorySettings,
  createAdvisory,
  getAdvisory,
  getAdvisorySettings,
  listAdvisories,
  listAdvisoryProducts,
  listWeaknesses,
  previewAdvisory,
  publishAdvisory,
} from '../../src/contract/advisories/operations.ts'
import {
  createAdvisoryScene,
  fullContent,
  sampleContent,
  sampleRange,
  Writer,
  type AdvisoryScene,
} from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'

let database: TestDatabase
let http: TestHttp
let scene: AdvisoryScene
let writer: Writer

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  const [acme] = await createScene(database.db)
  scene = await createAdvisoryScene(database, http, acme)
  writer = new Writer(scene)
})
afterAll(() => endBoth(http, database))

const idOf = (place: number) => `CSAFPID-${scene.products[place]?.versionId ?? ''}`
/** The preview once the advisory tests are loaded. */
async function previewOf(id: string, content: AdvisoryContent): Promise<AdvisoryPreview> {
  return vi.waitFor(
    async () => {
      const preview = await scene.owner.call(previewAdvisory, { params: { advisory: id }, body: { content } })
      expect(preview.advice).not.toBeNull()
      return preview
    },
    { timeout: 400_000, interval: 500 },
  )
}

async function documentOf(trackingId: string): Promise<unknown> {
  const file = `/csaf/acme/white/${testNow.getUTCFullYear()}/${trackingId.toLowerCase()}.json`
  return (await call(http.url + file)).body
}

describe('an advisory says how bad it is', () => {
  let document: unknown
  let trackingId = ''

  beforeAll(async () => {
    ;({ trackingId } = await writer.release(fullContent(scene.products)))
    document = await documentOf(trackingId)
  })

  test('with severity and notes of the whole', () => {
    expect(document).toMatchObject({
      document: {
        aggregate_severity: { text: 'Critical' },
        notes: [
          { category: 'summary' },
          { category: 'general', text: 'Pumps behind a firewall are reached from inside only.' },
          { category: 'legal_disclaimer', text: 'Provided as it is.' },
        ],
      },
    })
  })

  test('with scores of every affected version, weakness, days and thanks of a vulnerability', () => {
    const products = [idOf(0), `CSAFPID-${sampleRange}`]
    expect(document).toMatchObject({
      vulnerabilities: [
        {
          acknowledgments: [{ names: ['Grace'], summary: 'Found it.' }],
          cwe: {
            id: 'CWE-120',
            name: "Buffer Copy without Checking Size of Input ('Classic Buffer Overflow')",
          },
          discovery_date: '2026-01-05T00:00:00.000Z',
          release_date: '2026-02-03T00:00:00.000Z',
          remediations: [
            {
              date: '2026-02-03T00:00:00.000Z',
              product_ids: products,
              restart_required: { category: 'service' },
            },
          ],
          scores: [
            {
              cvss_v2: { baseScore: 10, vectorString: 'AV:N/AC:L/Au:N/C:C/I:C/A:C', version: '2.0' },
              cvss_v3: {
                baseScore: 9.8,
                baseSeverity: 'CRITICAL',
                vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
                version: '3.1',
              },
              products,
            },
          ],
        },
      ],
    })
  })

  test('with a range beside the versions of its family, each with what tools know it by', () => {
    expect(document).toMatchObject({
      product_tree: {
        branches: [
          {
            category: 'vendor',
            branches: [
              {
                category: 'product_name',
                name: 'Pump 1',
                branches: [
                  {
                    category: 'product_version',
                    name: '1.0',
                    product: {
                      product_identification_helper: {
                        cpe: 'cpe:2.3:a:acme:pump:1.0:*:*:*:*:*:*:*',
                        purl: 'pkg:generic/acme/pump@1.0',
                      },
                    },
                  },
                  { category: 'product_version', name: '2.0' },
                  {
                    category: 'product_version_range',
                    name: 'vers:semver/>=0.9.0|<2.0.0',
                    product: { product_identification_helper: { purl: 'pkg:generic/acme/pump' } },
                  },
                ],
              },
              { category: 'product_name', name: 'Pump 2' },
            ],
          },
        ],
      },
    })
  })

  test('in the list of advisories', async () => {
    const { rows } = await scene.owner.call(listAdvisories)
    expect(rows.find((row) => row.trackingId === trackingId)).toMatchObject({
      title: 'Overflow in all pumps',
      severity: 'critical',
      tlp: 'WHITE',
      vulnerabilities: ['CVE-2026-4321'],
    })
  })
})

test('a document without the additions is as it was', async () => {
  const { trackingId } = await writer.release(sampleContent(scene.products, 'Plain'))
  const text = JSON.stringify(await documentOf(trackingId))
  for (const key of [
    'scores',
    'cwe',
    'aggregate_severity',
    'identification_helper',
    'range',
    'discovery_date',
  ])
    expect(text, key).not.toContain(key)
})

test('a vector of CVSS 4.0 is refused in its field, with the reason', async () => {
  const full = fullContent(scene.products)
  const vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
  const vulnerabilities = full.vulnerabilities.map((one) => ({
    ...one,
    scores: [{ vector, versionIds: [] }],
  }))
  const { id } = await writer.create({ ...full, vulnerabilities })
  const refused = await scene.owner.refused(publishAdvisory, {
    params: { advisory: id },
    body: { revision: 1, summary: 'First.' },
  })
  expect(refused).toMatchObject({
    status: 400,
    body: {
      fields: {
        'vulnerabilities.0.scores.0.vector':
          'CSAF 2.0 has no place for CVSS 4.0: a vector of version 2.0, 3.0 or 3.1 is required.',
      },
    },
  })
})

describe('the preview', () => {
  test('lists what the optional tests advise, each with its field', { timeout: 480_000 }, async () => {
    const { id } = await writer.create(sampleContent(scene.products))
    const plain = await previewOf(id, sampleContent(scene.products))
    expect(plain).toMatchObject({ problems: [], problemsTotal: 0 })
    expect(plain.advice?.map(({ test: name, field }) => `${name} ${field}`)).toEqual([
      '6.2.3 vulnerabilities.0.scores',
      '6.2.16 products.0.purl',
      '6.2.16 products.1.purl',
      '6.2.16 products.2.purl',
      '6.3.4 vulnerabilities.0.cwe',
    ])
    const full = await previewOf(id, fullContent(scene.products))
    expect(full.problems).toEqual([])
    expect(full.advice?.map(({ test: name, field }) => `${name} ${field}`)).toEqual([
      '6.2.16 products.1.purl',
      '6.2.16 products.2.purl',
      '6.3.10 products.3',
    ])
  })

  test('gives no advice on something that is not a document yet', { timeout: 480_000 }, async () => {
    const { id } = await writer.create(sampleContent(scene.products))
    const broken = await previewOf(id, { ...sampleContent(scene.products), title: '' })
    expect(broken.problems.map(({ field }) => field)).toContain('title')
    expect(broken.advice).toEqual([])
  })
})

describe('what is filled in', () => {
  test('a new draft has the notes of the workspace, and keeps those it is given', async () => {
    const noted = { generalNote: 'Write to security@acme.example.', legalNote: 'No warranty.' }
    await scene.owner.call(changeAdvisorySettings, { body: noted })
    expect(await scene.owner.call(getAdvisorySettings)).toMatchObject(noted)
    const contentOf = async (content: AdvisoryContent) => {
      const { id } = await writer.create(content)
      return (await scene.owner.call(getAdvisory, { params: { advisory: id } })).draft?.content
    }
    expect(await contentOf(sampleContent(scene.products))).toMatchObject(noted)
    const own = { generalNote: '', legalNote: 'Mine.' }
    expect(await contentOf({ ...sampleContent(scene.products), ...own })).toMatchObject(own)
    const long = { legalNote: 'x'.repeat(20_001) }
    expect(await scene.owner.refused(changeAdvisorySettings, { body: long })).toMatchObject({
      status: 400,
      body: { fields: { legalNote: 'At most 20000 characters.' } },
    })
    await scene.owner.call(changeAdvisorySettings, { body: { generalNote: '', legalNote: '' } })
  })

  test('a version has the purl and CPE of the main component of its SBOM, where they can be read', async () => {
    const component = (version: string, purl: string) => ({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { type: 'application', name: 'pump', version, purl, cpe: 'no cpe' } },
      components: [],
    })
    for (const [version, purl] of [
      ['1.0', 'pkg:generic/acme/pump@1.0'],
      ['2.0', 'no purl'],
    ] as const) {
      const sent = await fetch(`${http.url}/api/v1/sboms`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${scene.workspace.families[0]?.upload ?? ''}`,
          'content-type': 'application/json',
          'x-service-version': version,
        },
        body: JSON.stringify(component(version, purl)),
      })
      expect(sent.status).toBe(202)
    }
    const { families } = await scene.owner.call(listAdvisoryProducts)
    const versions = families.flatMap((family) => family.versions)
    expect(versions.map(({ name, purl, cpe }) => [name, purl, cpe])).toEqual(
      expect.arrayContaining([
        ['1.0', 'pkg:generic/acme/pump@1.0', ''],
        ['2.0', '', ''],
      ]),
    )
    const { id } = await writer.create(sampleContent(scene.products))
    const { draft } = await scene.owner.call(getAdvisory, { params: { advisory: id } })
    expect(draft?.content.products[0]).toMatchObject({ purl: 'pkg:generic/acme/pump@1.0', cpe: '' })
  })

  test('the catalogue of weaknesses can be read', async () => {
    const { weaknesses } = await scene.owner.call(listWeaknesses)
    expect(weaknesses).toContainEqual({
      id: 'CWE-79',
      name: "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')",
    })
    expect(weaknesses.length).toBeGreaterThan(900)
  })
})

describe('a range of versions', () => {
  test('of a family of another workspace is refused', async () => {
    const full = fullContent(scene.products)
    const products = full.products.map((product) =>
      product.isRange === true ? { ...product, familyId: '00000000-0000-7000-8000-00000000dead' } : product,
    )
    const made = await scene.owner.refused(createAdvisory, { body: { content: { ...full, products } } })
    expect(made).toMatchObject({
      status: 400,
      body: { fields: { 'products.3': 'There is no such product version.' } },
    })
  })
})
