import { gzipSync } from 'node:zlib'
import { limits } from '../../../src/contract/limits.ts'
import type { Db } from '../../../src/database/connection.ts'
import { createCompany, createFamilyToken, type Company } from '../../support/company.ts'
import { call, type Answer } from '../../support/http.ts'
import { sampleSbom } from '../../support/sample-sbom.ts'
import type { Outcome } from './outcome.ts'
import { textIn } from '../../support/read-as.ts'

type Options = {
  db: Db
  baseUrl: string
  /** The time the service uses. */
  now: Date
  /** Runs every n-th pair; 1 runs all. */
  every?: number
}

type Path = '/api/v1/sboms' | '/api/v1/vex' | '/api/v1/connectors/dependency-track'

/** The refusal of a step: the token, company and body that cause it. */
type Fault = {
  step: number
  error: string
  token?: 'unknown' | 'revoked' | 'spent'
  company?: 'lapsed' | 'deleted'
  body?: () => Uint8Array
  encoding?: string
}

const tooLongPlain = Buffer.alloc(limits.bodySentBytes + 1, 32)
const tooLongInflated = gzipSync(Buffer.alloc(limits.bodyDecompressedBytes + 1, 32))
const text = (value: string) => () => Buffer.from(value)

const ofToken: Fault[] = [
  { step: 1, error: 'unauthorized', token: 'unknown' },
  { step: 1, error: 'unauthorized', token: 'revoked' },
  { step: 1, error: 'family_not_found', company: 'deleted' },
  { step: 2, error: 'rate_limited', token: 'spent' },
  { step: 3, error: 'too_large', body: () => tooLongPlain },
  { step: 4, error: 'billing_lapsed', company: 'lapsed' },
]

const ofFile: Fault[] = [
  { step: 3, error: 'too_large', body: () => tooLongInflated },
  { step: 3, error: 'bad_encoding', encoding: 'br' },
  { step: 3, error: 'empty', body: text('') },
]

const faults: Record<Path, Fault[]> = {
  '/api/v1/sboms': [
    ...ofToken,
    ...ofFile,
    { step: 6, error: 'invalid_json', body: text('{') },
    { step: 6, error: 'xml_unsupported', body: text('<bom/>') },
    { step: 6, error: 'unsupported_format', body: text('[]') },
  ],
  '/api/v1/vex': [
    ...ofToken,
    ...ofFile,
    { step: 6, error: 'invalid_json', body: text('{') },
    { step: 6, error: 'unsupported_vex', body: text('{}') },
  ],
  '/api/v1/connectors/dependency-track': [
    ...ofToken,
    // The state matters only for some groups, and an unreadable notification has no group: neither comes first.
    { step: 4, error: 'invalid_notification', body: text('{"notification":1}') },
  ],
}

type Pair = { path: Path; first: Fault; second: Fault }

/** Two refusals that can apply to one request because they concern different things; one step comes before the other. */
const pairs: Pair[] = Object.entries(faults).flatMap(([path, ofPath]) =>
  ofPath.flatMap((first) =>
    ofPath.filter((second) => fit(first, second)).map((second) => ({ path: path as Path, first, second })),
  ),
)

function fit(one: Fault, other: Fault): boolean {
  const isSameSubject = (['token', 'company', 'body'] as const).some(
    (subject) => one[subject] !== undefined && other[subject] !== undefined,
  )
  return one.step < other.step && !isSameSubject
}

/** For every pair of simultaneous errors, the answer is the one the contract puts first (goal 16). */
export async function runOrderOfChecks({ db, baseUrl, now, every = 1 }: Options): Promise<Outcome> {
  const companies = await Companies.create(db, now)
  const failures: string[] = []
  const tried = pairs.filter((_, place) => place % every === 0)
  for (const { path, first, second } of tried) {
    const { status, body } = await send(`${baseUrl}${path}`, { ...second, ...first }, companies)
    const answered = textIn(body, 'error')
    if (answered === first.error) continue
    failures.push(`${path}: ${first.error} before ${second.error} was answered ${status} ${answered}`)
  }
  return { figures: { pairs: tried.length, inOrder: tried.length - failures.length }, failures }
}

async function send(url: string, fault: Fault, companies: Companies): Promise<Answer> {
  const { encoding } = fault
  const token = await companies.secretFor(fault)
  const headers = {
    'content-type': 'application/json',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  }
  const body = fault.body?.() ?? sampleSbom({ components: 1, serial: 1 })
  return call(url, { method: 'POST', token, headers, body })
}

/** A company with full rights, one whose trial is over, and one whose family was deleted. */
class Companies {
  readonly #db: Db
  readonly #now: Date
  readonly #companies: Record<'good' | 'lapsed' | 'deleted', Company>

  private constructor(db: Db, now: Date, companies: Record<'good' | 'lapsed' | 'deleted', Company>) {
    this.#db = db
    this.#now = now
    this.#companies = companies
  }

  static async create(db: Db, now: Date): Promise<Companies> {
    return new Companies(db, now, {
      good: await createCompany(db, 'order-good'),
      lapsed: await createCompany(db, 'order-lapsed', 'free'),
      deleted: await createCompany(db, 'order-deleted'),
    })
  }

  async secretFor({ token: kind, company }: Fault): Promise<string> {
    if (kind === 'unknown') return `svc_${'a'.repeat(43)}`
    const of = this.#companies[company ?? 'good']
    if (company === 'deleted') await this.#setDeleted(null)
    const { id, secret } = await createFamilyToken(this.#db, of)
    if (company === 'deleted') await this.#setDeleted(this.#now)
    if (kind === 'revoked') {
      await this.#db.updateTable('token').set({ revoked_at: this.#now }).where('id', '=', id).execute()
    }
    if (kind === 'spent') {
      const use = { token_id: id, last_used_at: this.#now, window_started_at: this.#now }
      await this.#db
        .insertInto('token_use')
        .values({ ...use, window_requests: limits.requestsPerWindow })
        .execute()
    }
    return secret
  }

  async #setDeleted(deletedAt: Date | null): Promise<void> {
    const { familyId } = this.#companies.deleted
    await this.#db.updateTable('family').set({ deleted_at: deletedAt }).where('id', '=', familyId).execute()
  }
}
