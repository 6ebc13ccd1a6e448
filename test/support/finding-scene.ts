import type { Db } from '../../src/database/connection.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import type { RecordFacts } from './records.ts'
import type { Part } from './parts.ts'
import { addFamily, addSbom, addWorkspace, openFindings, type Family } from './rows.ts'
import { testNow } from './clock.ts'

/** A record that affects an npm package before 2.0.0. */
export const simple = (id: string, name: string, more: Partial<RecordFacts> = {}): RecordFacts => ({
  id,
  affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }],
  ...more,
})

type Uploaded = { versionId?: string | null; now?: Date; into?: Family }

/** A workspace with a new family for each test, to upload to and read findings from. */
export class FindingScene {
  readonly workspaceId: string
  readonly #database: TestDatabase
  count = 0
  family: Family = { workspaceId: '', familyId: '' }

  private constructor(database: TestDatabase, workspaceId: string) {
    this.#database = database
    this.workspaceId = workspaceId
  }

  static async open(): Promise<FindingScene> {
    const database = await createTestDatabase()
    return new FindingScene(database, await addWorkspace(database.db, 'acme'))
  }

  get db(): Db {
    return this.#database.db
  }

  async close(): Promise<void> {
    await this.#database.drop()
  }

  async next(): Promise<void> {
    this.count += 1
    this.family = await addFamily(this.db, this.workspaceId, `Pump ${this.count}`)
  }

  /** A package name unique to this test. */
  own(name: string): string {
    return `${name}-${this.count}`
  }

  async upload(
    parts: Part[],
    { versionId = null, now = testNow, into = this.family }: Uploaded = {},
  ): Promise<string> {
    const sbomId = await addSbom(this.db, into, { versionId, parts, now })
    await matchSbom(this.db, { workspaceId: into.workspaceId, sbomId, now })
    return sbomId
  }

  async titles(of = this.family): Promise<string[]> {
    return (await openFindings(this.db, of)).map(
      (finding) => `${finding.component} ${finding.title} ${finding.grade}`,
    )
  }

  async stored() {
    return this.db
      .selectFrom('finding')
      .select(['id', 'version_id', 'group_id', 'grade', 'first_seen_at', 'closed_at'])
      .where('family_id', '=', this.family.familyId)
      .orderBy('first_seen_at')
      .orderBy('id')
      .execute()
  }

  /** Families whose findings are waiting for a refresh. */
  async waitingRefreshes(): Promise<(string | null)[]> {
    const jobs = await this.db
      .selectFrom('job')
      .select('key')
      .where('kind', '=', 'refresh_findings')
      .execute()
    return jobs.map((job) => job.key)
  }
}
