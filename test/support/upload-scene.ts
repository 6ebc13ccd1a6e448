import { expect } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import type { SbomKey } from '../../src/findings/version-slot.ts'
import { createCompany, createFamilyToken, type Company } from './company.ts'
import { DependencyTrack, type Version } from './dependency-track.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { call, startTestHttp, type Answer, type TestHttp } from './http.ts'
import { sampleSbom } from './sample-sbom.ts'
import { sampleVex } from './sample-vex.ts'
import { testNow } from './clock.ts'
import { readAs } from './read-as.ts'

type Sent = { headers?: Record<string, string>; query?: string; token?: string }
type Sender = Sent & { path?: string }

type SceneOptions = {
  hasParserChildren?: boolean | { silentMs: number }
  requestMs?: number
  database?: TestDatabase
}

/** A server with two companies, and SBOMs to send to it. */
export class UploadScene {
  readonly database: TestDatabase
  readonly http: TestHttp
  readonly company: Company
  readonly other: Company
  #serial = 0

  private constructor(
    database: TestDatabase,
    http: TestHttp,
    companies: { company: Company; other: Company },
  ) {
    this.database = database
    this.http = http
    this.company = companies.company
    this.other = companies.other
  }

  /** `hasParserChildren`: files are parsed by child processes, as in the service; `requestMs`: the time limit of a request. */
  static async open({
    hasParserChildren = false,
    requestMs,
    ...given
  }: SceneOptions = {}): Promise<UploadScene> {
    const database = given.database ?? (await createTestDatabase())
    const http = await startTestHttp({
      database,
      now: () => testNow,
      hasParserChildren,
      ...(requestMs === undefined ? {} : { requestMs }),
    })
    const company = await createCompany(database.db, 'acme')
    const other = await createCompany(database.db, 'other')
    return new UploadScene(database, http, { company, other })
  }

  async close(): Promise<void> {
    await this.http.stop()
    await this.database.drop()
  }

  serial(): number {
    this.#serial += 1
    return this.#serial
  }

  /** A Dependency-Track with an upload token of the company. */
  async platform(version: Version = '4.13', company: Company = this.company): Promise<DependencyTrack> {
    return new DependencyTrack(version, { url: this.http.url, token: await this.token(company) })
  }

  /** A new token, so that no test meets another's hourly limit. */
  async token(of: Company = this.company): Promise<string> {
    return (await createFamilyToken(this.database.db, of)).secret
  }

  /** A new document; its components repeat. */
  sbom(options: Partial<Parameters<typeof sampleSbom>[0]> = {}): Buffer {
    return sampleSbom({ components: 3, serial: this.serial(), ...options })
  }

  /** Posts a body, by default with a fresh token of the first company. */
  async upload(
    body: Uint8Array | string,
    { headers = {}, query = '', token, path = '/api/v1/sboms' }: Sender = {},
  ): Promise<Answer> {
    const url = `${this.http.url}${path}${query}`
    return call(url, { method: 'POST', token: token ?? (await this.token()), headers, body })
  }

  /** Posts a body that must be new. */
  async uploaded(body: Uint8Array | string, sent: Sent = {}): Promise<SbomReceipt> {
    const answer = await this.upload(body, sent)
    expect(answer).toMatchObject({ status: 202 })
    return readAs(SbomReceipt, answer.body)
  }

  /** Sends an SBOM that must be new, and matches it. */
  async matched(document: object): Promise<SbomKey> {
    const { id: sbomId } = await this.uploaded(JSON.stringify(document))
    const { workspaceId } = this.company
    await matchSbom(this.database.db, { workspaceId, sbomId, now: testNow })
    return { workspaceId, sbomId }
  }

  /** A new VEX document. */
  vex(options: Parameters<typeof sampleVex>[1] = {}): Buffer {
    return sampleVex(this.serial(), options)
  }

  /** Posts a VEX document. */
  uploadVex(body: Uint8Array | string, sent: Sent = {}): Promise<Answer> {
    return this.upload(body, { ...sent, path: '/api/v1/vex' })
  }

  /** Posts a VEX document that must be new. */
  async uploadedVex(body: Uint8Array | string, sent: Sent = {}): Promise<VexReceipt> {
    const answer = await this.uploadVex(body, sent)
    expect(answer).toMatchObject({ status: 202 })
    return readAs(VexReceipt, answer.body)
  }

  vexRow(id: string) {
    return this.database.db
      .selectFrom('vex_document')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  }

  sbomRow(id: string) {
    return this.database.db.selectFrom('sbom').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }
}

/** A file wrapped in a form, as by a browser or `curl --form`. */
export function asForm(file: Buffer): string {
  return `--b\r\ncontent-disposition: form-data; name="file"; filename="f.json"\r\n\r\n${file.toString()}\r\n--b--\r\n`
}

/** A CycloneDX 1.6 document with these additional fields. */
export function cyclonedx(fields: Record<string, unknown>): string {
  return JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', ...fields })
}
