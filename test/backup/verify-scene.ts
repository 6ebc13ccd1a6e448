import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { expect } from 'vitest'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { testNow } from '../support/clock.ts'
import { askForServer, createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { checkoutDir } from '../support/test-server.ts'
import { importDeps } from '../vulndata/support.ts'
import { startVerifying, urlAs, type Environment } from './run-verify.ts'

/** Scratch databases on the server, which a run must not leave behind. */
export const scratch = 'sbom_monitor_verify_'

/** A database with a matched SBOM, and its backup `whole.gz` in a folder. */
export class VerifyScene {
  readonly suffix = randomBytes(4).toString('hex')
  /** `may` can create databases and do what the service's role can. */
  readonly roles = { may: `verify_may_${this.suffix}`, mayNot: `verify_may_not_${this.suffix}` }
  readonly admin: pg.Client
  readonly source: TestDatabase
  private readonly folder: string

  private constructor({ admin, source, folder }: Pick<VerifyScene, 'admin' | 'source'> & { folder: string }) {
    this.admin = admin
    this.source = source
    this.folder = folder
  }

  static async open(): Promise<VerifyScene> {
    const folder = await mkdtemp(join(tmpdir(), 'verify-'))
    // when started by root, the embedded server runs under another account
    await chmod(folder, 0o755)
    const server = await askForServer()
    const admin = new pg.Client(server.connection)
    await admin.connect()
    const scene = new VerifyScene({ admin, source: await createTestDatabase(), folder })
    await scene.createRoles(server.directConnection)
    await scene.fill()
    await scene.backUp('whole.gz')
    return scene
  }

  async close(): Promise<void> {
    await this.source.drop()
    for (const role of Object.values(this.roles))
      await this.admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await this.admin.end()
    await rm(this.folder, { recursive: true, force: true })
  }

  fileOf(name: string): string {
    return join(this.folder, name)
  }

  /** The environment of the role that can create databases. */
  asMay(database = this.source): { DATABASE_URL: string } {
    return { DATABASE_URL: urlAs(this.roles.may, database) }
  }

  start(env: Environment, file: string) {
    return startVerifying(env, this.fileOf(file))
  }

  verify(env: Environment, file: string) {
    return this.start(env, file).ended
  }

  async backUp(name: string, { connection }: Pick<TestDatabase, 'connection'> = this.source): Promise<void> {
    await writeBackup(connection, { file: this.fileOf(name), now: testNow, onProgress: () => undefined })
  }

  /** Those of this scene, or all on another server: somebody else may be verifying a backup on the shared one. */
  async scratchDatabases(session = this.admin): Promise<string[]> {
    const { rows } = await session.query<{ name: string }>(
      `SELECT datname::text AS name FROM pg_database
       WHERE starts_with(datname, $1) AND pg_get_userbyid(datdba) = coalesce($2, pg_get_userbyid(datdba)) ORDER BY 1`,
      [scratch, session === this.admin ? this.roles.may : null],
    )
    return rows.map(({ name }) => name)
  }

  private async createRoles(service: pg.PoolConfig): Promise<void> {
    const session = new pg.Client(service)
    await session.connect()
    const { rows } = await session.query<{ role: string }>('SELECT quote_ident(current_user) AS role')
    await session.end()
    const owner = rows[0]?.role ?? ''
    await this.admin.query(`CREATE ROLE ${this.roles.may} LOGIN CREATEDB IN ROLE ${owner}`)
    await this.admin.query(`CREATE ROLE ${this.roles.mayNot} LOGIN`)
  }

  private async fill(): Promise<void> {
    const { db } = this.source
    const [acme] = await createScene(db)
    const from = join(checkoutDir, 'demo/vulnerabilities.ndjson')
    await importVulnerabilityData(importDeps(db), { from, now: testNow })
    const http = await startTestHttp({ database: this.source, now: () => testNow })
    const body = await readFile(join(checkoutDir, 'demo/sample.cdx.json'))
    const token = acme.families[0]?.upload ?? ''
    const sent = await call(`${http.url}/api/v1/sboms`, { method: 'POST', token, body })
    expect(sent.status).toBe(202)
    await http.stop()
    await drain(db, testNow)
    await chainEvents(db)
  }
}
