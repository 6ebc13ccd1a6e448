import type { Db } from '../../src/database/connection.ts'
import type { JobKind } from '../../src/jobs.ts'
import { later } from '../support/clock.ts'
import type { Company } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { importFile, kevCatalogue } from '../vulndata/support.ts'

/** A service at which things arrive one after the other, a minute apart. */
export class Arrivals {
  readonly scene: UploadScene
  readonly db: Db
  #minute = 0
  /** A catalogue is always replaced as a whole. */
  readonly #listed: string[] = []

  private constructor(scene: UploadScene) {
    this.scene = scene
    this.db = scene.database.db
  }

  static async open(): Promise<Arrivals> {
    return new Arrivals(await UploadScene.open())
  }

  close(): Promise<void> {
    return this.scene.close()
  }

  now(): Date {
    return later(this.#minute)
  }

  tick(): Date {
    this.#minute += 1
    return this.now()
  }

  /** Runs every job that is waiting, but for those of the kinds `later`. */
  async work(later: readonly JobKind[] = []): Promise<void> {
    await drain(this.db, this.tick(), later)
  }

  /** Imports a record or a catalogue. */
  async load(content: unknown): Promise<void> {
    await importFile(this.db, ['data.json', JSON.stringify(content)], { now: this.tick() })
  }

  /** Sends an SBOM of a product version with these npm packages, and waits until it is matched. */
  async upload(
    company: Company,
    packages: [name: string, version: string][],
    product = '1.0',
  ): Promise<void> {
    const body = cyclonedx({
      serialNumber: `urn:uuid:00000000-0000-4000-9000-${String(this.scene.serial()).padStart(12, '0')}`,
      metadata: { component: { type: 'application', name: 'pump', version: product, 'bom-ref': 'root' } },
      components: packages.map(([name, version]) => ({
        type: 'library',
        'bom-ref': `${name}@${version}`,
        name,
        version,
        purl: `pkg:npm/${name}@${version}`,
      })),
    })
    await this.scene.uploaded(body, { token: await this.scene.token(company) })
    await this.work()
  }

  /** Adds a CVE to CISA's catalogue. */
  async list(cve: string): Promise<void> {
    this.#listed.push(cve)
    await this.load(kevCatalogue(this.#listed))
  }
}

/** An OpenVEX document with one statement. */
export function openVex({
  id,
  version,
  statement,
}: {
  id: string
  version: number
  statement: object
}): string {
  return JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version,
    statements: [statement],
  })
}
