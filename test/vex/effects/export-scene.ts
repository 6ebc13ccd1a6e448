import type { VexForm, VexFormat } from '../../../src/contract/vex/shapes.ts'
import { exportVex } from '../../../src/contract/vex/operations.ts'
import { AppSession } from '../../support/app-session.ts'
import { testNow } from '../../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { drain } from '../../support/drain.ts'
import { call, startTestHttp, type TestHttp } from '../../support/http.ts'
import { addRecord } from '../../support/records.ts'
import { createScene, type TestFamily } from '../../support/scene.ts'
import { cyclonedx } from '../../support/upload-scene.ts'

export const image = {
  name: 'registry.example.com/acme/pump',
  tag: '1.0',
  digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
}

/** What the main component of an SBOM is identified by. */
export const mains = {
  'package purl': { type: 'application', purl: 'pkg:npm/pump@1.0' },
  'generic purl': { type: 'application', purl: 'pkg:generic/acme/pump@1.0' },
  'image purl': {
    type: 'container',
    purl: `pkg:oci/pump@${image.digest.replace(':', '%3A')}?repository_url=${image.name}`,
  },
  CPE: { type: 'application', cpe: 'cpe:2.3:a:acme:pump:1.0:*:*:*:*:*:*:*' },
  none: { type: 'application' },
} as const
export type Main = keyof typeof mains
export const mainNames = Object.keys(mains) as Main[]

export const left = 'pkg:npm/%40acme/left@1.0.0'
export const right = 'pkg:npm/right@1.0.0'
export const ids = { cve: 'CVE-2024-1000', ghsa: 'GHSA-aaaa-bbbb-cccc' }

/** Families whose SBOMs differ only in their main components. In each, `left` is not affected, and `right` has no verdict. */
export class ExportScene {
  readonly #database: TestDatabase
  readonly #http: TestHttp
  readonly #owner: AppSession
  readonly #families: TestFamily[]

  private constructor(database: TestDatabase, http: TestHttp, owner: AppSession, families: TestFamily[]) {
    this.#database = database
    this.#http = http
    this.#owner = owner
    this.#families = families
  }

  static async open(): Promise<ExportScene> {
    const database = await createTestDatabase()
    const http = await startTestHttp({ database, now: () => testNow })
    const [acme] = await createScene(database.db, { families: mainNames.length + 1 })
    const owner = await AppSession.signIn(http.url, acme.members.owner)
    const scene = new ExportScene(database, http, owner, acme.families)
    const affected = ['@acme/left', 'right'].map((name) => ({
      ecosystem: 'npm',
      name,
      scheme: 'semver' as const,
      ranges: [['0', null]] as const,
    }))
    await addRecord(database.db, { id: ids.ghsa, group: ids.ghsa, aliases: [ids.cve], affected })
    await addRecord(database.db, { id: 'GHSA-dddd-eeee-ffff', group: 'GHSA-dddd-eeee-ffff', affected })
    for (const main of mainNames) {
      await scene.send(main, 'sboms', ExportScene.sbom(main))
      await scene.send(main, 'vex', statement(ids.cve))
    }
    return scene
  }

  async close(): Promise<void> {
    await this.#http.stop()
    await this.#database.drop()
  }

  /** The SBOM sent for it. */
  static sbom(main: Main): string {
    const number = mainNames.indexOf(main) + 1
    return cyclonedx({
      serialNumber: `urn:uuid:${String(number).padStart(8, '0')}-395b-41f5-a30f-a58921a69b79`,
      version: 1,
      metadata: { component: { 'bom-ref': 'main', name: 'pump', version: '1.0', ...mains[main] } },
      components: [
        { 'bom-ref': 'a left', type: 'library', group: '@acme', name: 'left', version: '1.0.0', purl: left },
        { 'bom-ref': 'a right', type: 'library', name: 'right', version: '1.0.0', purl: right },
      ],
      dependencies: [{ ref: 'main', dependsOn: ['a left', 'a right'] }],
    })
  }

  async send(main: Main | number, path: 'sboms' | 'vex', body: string, version = '1.0'): Promise<void> {
    const headers = { 'x-service-version': version }
    const { upload: token } = this.#family(main)
    const answer = await call(`${this.#http.url}/api/v1/${path}`, { method: 'POST', token, headers, body })
    if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
    await drain(this.#database.db, testNow)
  }

  /** `version` null: every version. */
  async export(main: Main | number, format: VexFormat, form?: VexForm, version: string | null = '1.0') {
    const { id: family } = this.#family(main)
    const query = { format, form, version: version ?? undefined }
    return this.#owner.ask(exportVex, { params: { family }, query })
  }

  #family(main: Main | number): TestFamily {
    const found = this.#families[typeof main === 'number' ? main : mainNames.indexOf(main)]
    if (found === undefined) throw new Error('no such family')
    return found
  }
}

/** A family without SBOM. */
export const spare = mainNames.length

let statements = 0

/** OpenVEX: `left` is not affected. */
export function statement(name: string): string {
  statements += 1
  return JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://acme.example/${statements}`,
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { name },
        products: [{ '@id': left }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_present',
      },
    ],
  })
}
