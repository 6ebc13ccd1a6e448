import type {
  AdvisoryContent,
  DraftProduct,
  DraftVulnerability,
} from '../../src/contract/advisories/shapes.ts'
import {
  beginAdvisoryDraft,
  createAdvisory,
  publishAdvisory,
  saveAdvisoryDraft,
} from '../../src/contract/advisories/operations.ts'
import { selectOrInsertVersion } from '../../src/products/versions.ts'
import { AppSession } from './app-session.ts'
import { testNow } from './clock.ts'
import type { TestDatabase } from './database.ts'
import type { TestWorkspace } from './scene.ts'

/** A workspace with products to write advisories about, and its owner's session. */
export type AdvisoryScene = {
  workspace: TestWorkspace
  owner: AppSession
  products: DraftProduct[]
}

/** Two versions of the first family and one of the second. */
export async function createAdvisoryScene(
  database: TestDatabase,
  http: { url: string },
  workspace: TestWorkspace,
): Promise<AdvisoryScene> {
  const products: DraftProduct[] = []
  for (const [place, version] of [
    [0, '1.0'],
    [0, '2.0'],
    [1, '7'],
  ] as const) {
    const familyId = workspace.families[place]?.id ?? ''
    const { id } = await selectOrInsertVersion(database.db, {
      workspaceId: workspace.id,
      familyId,
      name: version,
      now: testNow,
    })
    products.push({ versionId: id, familyId, family: `Pump ${place + 1}`, version })
  }
  return { workspace, owner: await AppSession.signIn(http.url, workspace.members.owner), products }
}

/** A vulnerability that affects the first product, is fixed in the second and does not concern the third. */
export function sampleVulnerability(
  products: readonly DraftProduct[],
  cve = 'CVE-2026-1234',
): DraftVulnerability {
  const [first = '', second = '', third = ''] = products.map(({ versionId }) => versionId)
  const row = { justification: null, impact: '' }
  return {
    cve,
    ids: [{ system: 'European Vulnerability Database', text: 'EUVD-2026-77' }],
    title: 'Overflow in the parser',
    description: 'A long header is written past its buffer.',
    statuses: [
      { versionId: first, status: 'affected', ...row },
      { versionId: second, status: 'fixed', ...row },
      { versionId: third, status: 'not_affected', justification: 'vulnerable_code_not_present', impact: '' },
    ],
    remediations: [
      {
        category: 'vendor_fix',
        details: 'Update to 2.0.',
        url: 'https://acme.example/2.0',
        versionIds: [first],
      },
    ],
    exploits: [{ catalogue: 'kev', listedOn: '2026-01-02' }],
    references: [{ summary: 'Analysis', url: 'https://acme.example/analysis' }],
  }
}

export function sampleContent(
  products: readonly DraftProduct[],
  title = 'Overflow in pumps',
): AdvisoryContent {
  return {
    title,
    summary: 'Pumps can be stopped from the network.',
    tlp: 'WHITE',
    products: [...products],
    vulnerabilities: [sampleVulnerability(products)],
    references: [{ summary: 'Product page', url: 'https://acme.example/pumps' }],
    acknowledgments: [{ names: ['Ada'], organization: 'Lab', summary: '', urls: ['https://lab.example'] }],
  }
}

/** The range of the second product in `fullContent`. */
export const sampleRange = '00000000-0000-4000-8000-00000000000a'

/** The sample with every field of an advisory: those of the interface, and the additions. */
export function fullContent(products: readonly DraftProduct[]): AdvisoryContent {
  const [first, ...others] = products
  if (first === undefined) throw new Error('the scene has no product')
  const sample = sampleVulnerability(products, 'CVE-2026-4321')
  const helper = { purl: 'pkg:generic/acme/pump@1.0', cpe: 'cpe:2.3:a:acme:pump:1.0:*:*:*:*:*:*:*' }
  const range = { ...first, versionId: sampleRange, version: 'vers:semver/>=0.9.0|<2.0.0', isRange: true }
  const thanked = { names: ['Grace'], organization: '', summary: 'Found it.', urls: [] }
  return {
    ...sampleContent(products, 'Overflow in all pumps'),
    products: [{ ...first, ...helper }, ...others, { ...range, purl: 'pkg:generic/acme/pump', cpe: '' }],
    vulnerabilities: [
      {
        ...sample,
        statuses: [
          ...sample.statuses,
          { versionId: sampleRange, status: 'affected', justification: null, impact: '' },
        ],
        remediations: sample.remediations.map((one) => ({
          ...one,
          versionIds: [first.versionId, sampleRange],
          date: '2026-02-03',
          restart: 'service' as const,
        })),
        scores: [
          { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', versionIds: [] },
          { vector: 'AV:N/AC:L/Au:N/C:C/I:C/A:C', versionIds: [] },
        ],
        cwe: 'CWE-120',
        discoveredOn: '2026-01-05',
        disclosedOn: '2026-02-03',
        acknowledgments: [thanked],
      },
    ],
    severity: 'critical',
    generalNote: 'Pumps behind a firewall are reached from inside only.',
    legalNote: 'Provided as it is.',
  }
}

/** An advisory author's steps in the application. Each throws on a refusal. */
export class Writer {
  readonly #session: AppSession

  constructor({ owner }: Pick<AdvisoryScene, 'owner'>) {
    this.#session = owner
  }

  create(content: AdvisoryContent) {
    return this.#session.call(createAdvisory, { body: { content } })
  }

  async begin(advisory: string): Promise<number> {
    return (await this.#session.call(beginAdvisoryDraft, { params: { advisory } })).revision
  }

  async save(advisory: string, revision: number, content: AdvisoryContent): Promise<number> {
    const body = { revision, content }
    return (await this.#session.call(saveAdvisoryDraft, { params: { advisory }, body })).revision
  }

  publish(
    advisory: string,
    revision: number,
    { kind, summary = 'First publication.' }: { kind?: 'update' | 'correction'; summary?: string } = {},
  ) {
    const body = { revision, summary, ...(kind === undefined ? {} : { kind }) }
    return this.#session.call(publishAdvisory, { params: { advisory }, body })
  }

  /** Creates and publishes at once. */
  async release(content: AdvisoryContent) {
    const made = await this.create(content)
    return { ...made, ...(await this.publish(made.id, 1)) }
  }

  /** A new version of a published advisory. */
  async revise(
    id: string,
    content: AdvisoryContent,
    {
      kind = 'update',
      summary = 'More is known.',
    }: { kind?: 'update' | 'correction'; summary?: string } = {},
  ) {
    const revision = await this.save(id, await this.begin(id), content)
    return this.publish(id, revision, { kind, summary })
  }
}
