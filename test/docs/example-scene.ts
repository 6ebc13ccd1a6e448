import { limits } from '../../src/contract/limits.ts'
import { examples as addDestinationExamples } from '../../src/http/public/add-alert-destination/examples.ts'
import type { PublicExample } from '../../src/docs-site/examples/example.ts'
import { examples as uploadSbomExamples } from '../../src/http/public/upload-sbom/examples.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { createToken } from '../../src/products/tokens/create-token.ts'
import { createAdvisoryScene, sampleContent, Writer } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { addFamily } from '../support/rows.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { refusedRequests } from './refused-requests.ts'
import { fieldOf, readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { tester } from '../support/actors.ts'

type TokenKind = 'upload' | 'results' | 'workspace'
type Address = [method: 'GET' | 'POST' | 'DELETE', path: string, token: TokenKind | null]

const addresses: Readonly<Record<string, Address>> = {
  uploadSbom: ['POST', '/api/v1/sboms', 'upload'],
  getSbomResult: ['GET', '/api/v1/sboms/{id}', 'results'],
  uploadVex: ['POST', '/api/v1/vex', 'upload'],
  receiveDependencyTrack: ['POST', '/api/v1/connectors/dependency-track', 'upload'],
  listAlertDestinations: ['GET', '/api/v1/alert-destinations', 'workspace'],
  addAlertDestination: ['POST', '/api/v1/alert-destinations', 'workspace'],
  removeAlertDestination: ['DELETE', '/api/v1/alert-destinations/{id}', 'workspace'],
  getProviderMetadata: ['GET', '/csaf/acme/provider-metadata.json', null],
  getAdvisoryIndex: ['GET', '/csaf/acme/white/index.txt', null],
  getAdvisoryChanges: ['GET', '/csaf/acme/white/changes.csv', null],
  getAdvisory: ['GET', '/csaf/acme/white/2026/acme-sa-2026-0001.json', null],
  getAdvisorySha256: ['GET', '/csaf/acme/white/2026/acme-sa-2026-0001.json.sha256', null],
  getAdvisorySha512: ['GET', '/csaf/acme/white/2026/acme-sa-2026-0001.json.sha512', null],
}

const unknownId = '0190d3a8-0000-7000-8000-000000000000'
const publicUrl = 'https://sboms.acme.example'

/** A service in which every documented example can be run: the company `acme` with data, an advisory, and a family for each operation. */
export class ExampleScene {
  readonly publicUrl = publicUrl
  readonly http: TestHttp
  readonly #database: TestDatabase
  readonly #acme: TestWorkspace
  readonly #families = new Map<string, Company>()
  /** The id in the last answer that had one. */
  #made = unknownId

  private constructor(http: TestHttp, database: TestDatabase, acme: TestWorkspace) {
    this.http = http
    this.#database = database
    this.#acme = acme
  }

  static async open(): Promise<ExampleScene> {
    const database = await createTestDatabase()
    const http = await startTestHttp({
      database,
      now: () => testNow,
      publicUrl,
      switchedOff: ['eukev', 'euvd'],
    })
    const [acme] = await createScene(database.db)
    const scene = new ExampleScene(http, database, acme)
    await scene.#fill()
    return scene
  }

  async close(): Promise<void> {
    await this.http.stop()
    await this.#database.drop()
  }

  /** A new family for an operation, with a new token for each request. */
  async freshFamily(name = 'fresh'): Promise<{ company: Company; token: string }> {
    const company = await this.#familyOf(name)
    return { company, token: await this.#token(company, 'upload') }
  }

  /** Sends an example in the state that its answer assumes. A refused one that shows no request gets one that is refused so. */
  async send(operation: string, example: PublicExample): Promise<Answer> {
    const [, , kind] = addressOf(operation)
    if (example.answer.status >= 400 && example.request === undefined)
      return this.#sendRefused(operation, example.name)
    if (operation === 'getSbomResult') await this.#uploadFirst()
    if (operation === 'listAlertDestinations') await this.#addDestinations()
    if (example.name === 'duplicate') await drain(this.#database.db, testNow)
    const token = kind === null ? undefined : await this.#token(await this.#familyOf(operation), kind)
    const { body, headers = {}, query = '' } = example.request ?? {}
    const answer = await this.#ask(operation, this.http, {
      query,
      token,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const id = fieldOf(answer.body, 'id')
    if (typeof id === 'string') this.#made = id
    return answer
  }

  async #sendRefused(operation: string, code: string): Promise<Answer> {
    const [method, path, kind] = addressOf(operation)
    if (kind === null)
      return call(this.http.url + path.replace('/csaf/', '/csaf/un').replace('.txt', '.text'), { method })
    const refused = refusedRequests[operation]?.[code]
    if (refused === undefined) throw new Error(`there is no request that ${operation} refuses with ${code}`)
    const { state, body, query = '', headers = {} } = refused
    const company = await this.#companyIn(state, operation)
    const token = state === 'unknown_token' ? `svc_${'x'.repeat(43)}` : await this.#token(company, kind)
    if (state === 'family_deleted') {
      await this.#database.pool.query('update family set deleted_at = $1 where id = $2', [
        testNow,
        company.familyId,
      ])
    }
    const request = { token, query, headers: { 'Content-Type': 'application/json', ...headers }, body }
    if (state === 'used_up') {
      for (let sent = 0; sent < limits.requestsPerWindow; sent += 1)
        await this.#ask(operation, this.http, request)
    }
    if (state !== 'without_key') return this.#ask(operation, this.http, request, unknownId)
    const other = await startTestHttp({
      database: this.#database,
      now: () => testNow,
      sealing: createSealing(null),
    })
    try {
      return await this.#ask(operation, other, request)
    } finally {
      await other.stop()
    }
  }

  async #ask(
    operation: string,
    http: TestHttp,
    {
      token,
      query,
      headers,
      body,
    }: {
      token: string | undefined
      query: string
      headers: Record<string, string>
      body?: string | Uint8Array | undefined
    },
    id = this.#made,
  ): Promise<Answer> {
    const [method, path] = addressOf(operation)
    return call(http.url + path.replace('{id}', id) + query, {
      method,
      headers,
      ...(token === undefined ? {} : { token }),
      ...(body === undefined || method !== 'POST' ? {} : { body }),
    })
  }

  async #companyIn(state: string | undefined, operation: string): Promise<Company> {
    const { db } = this.#database
    if (state === 'free' || state === 'starter')
      return createCompany(db, `${state}-${operation.toLowerCase()}`, state)
    return this.#familyOf(state === 'family_deleted' ? `${operation} deleted` : operation)
  }

  async #familyOf(name: string): Promise<Company> {
    let company = this.#families.get(name)
    if (company === undefined) {
      company = { ...(await addFamily(this.#database.db, this.#acme.id, name)), slug: 'acme' }
      this.#families.set(name, company)
    }
    return company
  }

  async #token({ workspaceId, familyId }: Company, kind: TokenKind): Promise<string> {
    const { secret } = await createToken(this.#database.db, {
      workspaceId,
      kind,
      familyId: kind === 'workspace' ? null : familyId,
      name: 'example',
      expiresAt: null,
      actor: tester,
      now: testNow,
    })
    return secret
  }

  /** The first SBOM of the documentation, matched. */
  async #uploadFirst(): Promise<void> {
    const [first] = uploadSbomExamples
    const token = await this.#token(await this.#familyOf('getSbomResult'), 'upload')
    const body = JSON.stringify(first?.request?.body)
    const headers = { 'X-Service-Version': '2.4.1' }
    const answer = await this.#ask('uploadSbom', this.http, { token, query: '', headers, body })
    this.#made = readAs(SbomReceipt, answer.body).id
    await drain(this.#database.db, testNow)
  }

  async #addDestinations(): Promise<void> {
    for (const example of addDestinationExamples.filter(({ answer }) => answer.status === 201))
      await this.send('addAlertDestination', example)
  }

  async #fill(): Promise<void> {
    const { db, pool } = this.#database
    await pool.query(`update workspace set company_name = 'Acme' where slug = 'acme'`)
    for (const name of ['kev', 'osv:Maven', 'osv:npm']) {
      await pool.query(
        `insert into data_source (name, last_success_at, record_count, is_whole) values ($1, $2, 1, true)`,
        [name, testNow],
      )
    }
    await pool.query(
      `update data_source set last_error = 'It answered 503.', failing_since = $1 where name = 'osv:Maven'`,
      [testNow],
    )
    await addRecord(db, {
      id: 'GHSA-jfh8-c2jp-5v3q',
      aliases: ['CVE-2021-44228'],
      severity: 'critical',
      affected: [
        {
          ecosystem: 'Maven',
          name: 'org.apache.logging.log4j:log4j-core',
          scheme: 'maven',
          ranges: [['2.13.0', '2.15.0']],
        },
      ],
    })
    await addExploited(db, { source: 'kev', cveId: 'CVE-2021-44228' })
    const advisories = await createAdvisoryScene(this.#database, this.http, this.#acme)
    const [product] = advisories.products
    if (product === undefined) throw new Error('there is no product to write about')
    const content = sampleContent([product])
    const vulnerabilities = content.vulnerabilities.map((each) => ({
      ...each,
      statuses: each.statuses.filter(({ versionId }) => versionId === product.versionId),
    }))
    await new Writer(advisories).release({ ...content, vulnerabilities, acknowledgments: [] })
  }
}

function addressOf(operation: string): Address {
  const address = addresses[operation]
  if (address === undefined) throw new Error(`${operation} has no address here`)
  return address
}
