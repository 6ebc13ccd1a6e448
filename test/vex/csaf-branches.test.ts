import { afterAll, beforeAll, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { readAs } from '../support/read-as.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { fixedIn, loadRecords } from '../matching/match-support.ts'

/** The branch of a CSAF product says its version where purl and CPE leave it open (CSAF 2.0, 3.1.2.2). */

let scene: UploadScene

type Branch = Record<string, unknown>
type Case = { says: string; cleared: boolean; status?: string; branch: (product: Branch) => Branch }

const within = (category: string, name: string) => (product: Branch) => ({ category, name, product })
const below = (outer: string, category: string, name: string) => (product: Branch) => ({
  category: outer.includes('<') ? 'product_version_range' : 'product_version',
  name: outer,
  branches: [{ category, name, product }],
})

const cases: Case[] = [
  { says: 'its version', cleared: true, branch: within('product_version', '1.0.0') },
  { says: 'its version behind a v', cleared: true, branch: within('product_version', 'V1.0.0') },
  { says: 'its version behind its name', cleared: true, branch: within('product_version', 'left-1.0.0') },
  { says: 'another version', cleared: false, branch: within('product_version', '2.0.0') },
  { says: 'another one behind its name', cleared: false, branch: within('product_version', 'left 2.0.0') },
  { says: 'another fixed one', cleared: false, status: 'fixed', branch: within('product_version', '2.0.0') },
  { says: 'another above', cleared: false, branch: below('2.0.0', 'architecture', 'amd64') },
  { says: 'a range above', cleared: false, branch: below('<1.0.0', 'language', 'en') },
  { says: 'the name alone', cleared: true, branch: within('product_version', 'left') },
  { says: 'its module', cleared: true, branch: within('product_version', 'left.src::left:18') },
  { says: 'no version', cleared: true, branch: within('product_name', '2.0.0') },
  { says: 'all versions', cleared: true, branch: within('product_version_range', 'vers:all/*') },
  { says: 'all in words', cleared: true, branch: within('product_version_range', 'All versions') },
  { says: 'a range', cleared: true, branch: within('product_version_range', 'vers:npm/>=1.0.0|<2.0.0') },
  { says: 'a later one', cleared: false, branch: within('product_version_range', 'vers:npm/>=2.0.0') },
  { says: 'signs', cleared: true, branch: within('product_version_range', '<2.0.0') },
  { says: 'signs, later', cleared: false, branch: within('product_version_range', '>= 2.0.0') },
  { says: 'signs of two ends', cleared: true, branch: within('product_version_range', '>=1.0.0|<2.0.0') },
  { says: 'words', cleared: false, branch: within('product_version_range', 'since the fix') },
]

const idOf = (index: number) => `CVE-2025-${2001 + index}`
const carriers = [
  { id: 'CVE-2025-3001', version: '1.0', cleared: true },
  { id: 'CVE-2025-3002', version: '2.0', cleared: false },
]

beforeAll(async () => {
  scene = await UploadScene.open()
  const ids = [...cases.map((_, index) => idOf(index)), ...carriers.map(({ id }) => id)]
  const records = ids.map((id) => ({ ...fixedIn(`GHSA-${id}`, 'npm', 'left', '9.0.0'), aliases: [id] }))
  await loadRecords(scene.database.db, ...records)
})
afterAll(() => scene.close())

const product = (id: string, purl: string) => ({
  product_id: id,
  name: id,
  product_identification_helper: { purl },
})

const document = () => ({
  document: {
    category: 'csaf_vex',
    csaf_version: '2.0',
    title: 'Left',
    publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
    tracking: { id: 'A-1', current_release_date: '2026-01-01T00:00:00Z' },
  },
  product_tree: {
    branches: [
      ...cases.map(({ branch }, index) => branch(product(idOf(index), 'pkg:npm/left'))),
      ...carriers.map(({ id, version }) =>
        within('product_version', version)(product(`pump of ${id}`, 'pkg:generic/pump')),
      ),
    ],
    full_product_names: [product('left', 'pkg:npm/left@1.0.0')],
    relationships: carriers.map(({ id }) => ({
      category: 'default_component_of',
      product_reference: 'left',
      relates_to_product_reference: `pump of ${id}`,
      full_product_name: { product_id: id, name: `left in the pump of ${id}` },
    })),
  },
  vulnerabilities: [
    ...cases.map(({ status = 'known_not_affected' }, index) => ({
      cve: idOf(index),
      product_status: { [status]: [idOf(index)] },
    })),
    ...carriers.map(({ id }) => ({ cve: id, product_status: { known_not_affected: [id] } })),
  ],
})

it('the version of a branch narrows what is said of the product in it', async () => {
  const company = await createCompany(scene.database.db, 'branches')
  const { secret } = await createFamilyToken(scene.database.db, company, { kind: 'results' })
  const token = await scene.token(company)
  const sbom = cyclonedx({
    metadata: {
      component: { type: 'application', name: 'pump', version: '1.0', purl: 'pkg:generic/pump' },
    },
    components: [{ type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' }],
  })
  const { id: sbomId } = await scene.uploaded(sbom, { token })
  await scene.uploadedVex(JSON.stringify(document()), { token })
  await drain(scene.database.db, testNow)
  const { body } = await call(`${scene.http.url}/api/v1/sboms/${sbomId}?worst=500`, { token: secret })
  const open = new Set(readAs(SbomResult, body).worst?.map(({ id }) => id))
  const isCleared = (id: string) => !open.has(id)
  expect(cases.map(({ says, status }, index) => [says, status, isCleared(idOf(index))])).toEqual(
    cases.map(({ says, status, cleared }) => [says, status, cleared]),
  )
  expect(carriers.map(({ id }) => [id, isCleared(id)])).toEqual(
    carriers.map(({ id, cleared }) => [id, cleared]),
  )
})
