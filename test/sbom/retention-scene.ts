import { expect } from 'vitest'
import { dayMs } from '../../src/contract/durations.ts'
import type { SbomRetention } from '../../src/contract/sbom/retention.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { removeReplacedSboms } from '../../src/findings/changes/remove-replaced.ts'
import { changeSbomRetention } from '../../src/sbom/retention/setting.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createFamilyToken } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { addFamily, type Family } from '../support/rows.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { readAs } from '../support/read-as.ts'

const actor = { kind: 'person', id: null, name: 'Olga' } as const

export type Uploading = Family & { token: string }
type FileOptions = { version?: string; more?: Record<string, unknown> }
type Opened = Pick<RetentionScene, 'database' | 'http' | 'acme' | 'umbrella' | 'owner' | 'now'>

/** A service with two workspaces, and a new family in each for every test. */
export class RetentionScene {
  readonly database: TestDatabase
  readonly http: TestHttp
  readonly acme: TestWorkspace
  readonly umbrella: TestWorkspace
  /** Owner of acme. */
  readonly owner: AppSession
  /** The time of the service and of the test's acts. */
  readonly now: Date
  #count = 0

  private constructor(parts: Opened) {
    this.database = parts.database
    this.http = parts.http
    this.acme = parts.acme
    this.umbrella = parts.umbrella
    this.owner = parts.owner
    this.now = parts.now
  }

  static async open(now = testNow): Promise<RetentionScene> {
    const database = await createTestDatabase()
    const http = await startTestHttp({ database, now: () => now })
    const [acme, umbrella] = await createScene(database.db)
    const owner = await AppSession.signIn(http.url, acme.members.owner)
    return new RetentionScene({ database, http, acme, umbrella, owner, now })
  }

  get db() {
    return this.database.db
  }

  async close(): Promise<void> {
    await this.http.stop()
    await this.database.drop()
  }

  async family(workspace = this.acme): Promise<Uploading> {
    this.#count += 1
    const family = await addFamily(this.db, workspace.id, `Valve ${this.#count}`)
    return {
      ...family,
      token: (await createFamilyToken(this.db, { ...family, slug: workspace.slug })).secret,
    }
  }

  /** A new file with these npm packages at 1.0.0. */
  file(names: readonly string[], { version = '1.0', more = {} }: FileOptions = {}): string {
    this.#count += 1
    return cyclonedx({
      serialNumber: `urn:uuid:00000000-0000-4000-8000-${this.#count.toString(16).padStart(12, '0')}`,
      version: 1,
      metadata: { component: { type: 'application', name: 'pump', version, 'bom-ref': 'root' } },
      components: names.map((name) => ({
        type: 'library',
        name,
        version: '1.0.0',
        'bom-ref': name,
        purl: `pkg:npm/${name}@1.0.0`,
        hashes: [{ alg: 'SHA-256', content: Buffer.from(name).toString('hex').padStart(64, '0') }],
      })),
      ...more,
    })
  }

  send({ token }: Uploading, body: string, path = 'sboms'): Promise<Answer> {
    return call(`${this.http.url}/api/v1/${path}`, { method: 'POST', token, body })
  }

  /** Sends a new file and has it matched; returns the id. */
  async upload(family: Uploading, names: readonly string[], options: FileOptions = {}): Promise<string> {
    const answer = await this.send(family, this.file(names, options))
    expect(answer).toMatchObject({ status: 202 })
    await this.settle()
    return readAs(SbomReceipt, answer.body).id
  }

  settle(): Promise<void> {
    return drain(this.db, this.now)
  }

  /** Art. 13(13) keeps nothing by default. */
  async keep(family: Family, setting: Partial<SbomRetention> & Pick<SbomRetention, 'keep'>): Promise<void> {
    const given = { amount: 1, isCraLifted: true, ...setting }
    await changeSbomRetention(this.db, { ...family, actor, now: this.now }, given)
  }

  remove(days = 0): Promise<number> {
    return removeReplacedSboms(this.db, { now: new Date(this.now.getTime() + days * dayMs) })
  }

  /** The ids still stored, oldest first. */
  async left({ familyId }: Family): Promise<string[]> {
    const rows = await this.db
      .selectFrom('sbom')
      .select('id')
      .where('family_id', '=', familyId)
      .orderBy('received_at')
      .execute()
    return rows.map(({ id }) => id)
  }

  async components({ familyId }: Family): Promise<string[]> {
    const rows = await this.db
      .selectFrom('component')
      .select('name')
      .where('family_id', '=', familyId)
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }

  removed({ familyId }: Family) {
    return this.db
      .selectFrom('removed_sbom')
      .selectAll()
      .where('family_id', '=', familyId)
      .orderBy('received_at')
      .execute()
  }
}
