import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { testNow } from '../support/clock.ts'

/**
 * Interface, "Check order: token, rate limit, body size and encoding, workspace state, duplicate, then the SBOM itself". For every pair of
 * refusals that can apply to one request, the earlier step's is the answer.
 */

let database: TestDatabase
let http: TestHttp
let trial: Company
let lapsed: Company
let deleted: Company

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow, hasParserChildren: true })
  trial = await createCompany(database.db, 'trial', 'trial')
  lapsed = await createCompany(database.db, 'lapsed', 'free')
  deleted = await createCompany(database.db, 'deleted', 'free')
  await setDeleted(deleted, testNow)
})

afterAll(() => endBoth(http, database))

/** The refusal of a step: the token, company and body that cause it. */
type Fault = {
  step: number
  error: string
  token?: 'unknown' | 'revoked' | 'spent'
  company?: () => Company
  body?: () => Uint8Array
  encoding?: string
}

const known = sampleSbom({ components: 1, serial: 1 })
const tooLongPlain = Buffer.alloc(limits.bodySentBytes + 1, 32)
const tooLongInflated = gzipSync(Buffer.alloc(limits.bodyDecompressedBytes + 1, 32))

const faults: Fault[] = [
  { step: 1, error: 'unauthorized', token: 'unknown' },
  { step: 1, error: 'unauthorized', token: 'revoked' },
  { step: 1, error: 'family_not_found', company: () => deleted },
  { step: 2, error: 'rate_limited', token: 'spent' },
  { step: 3, error: 'too_large', body: () => tooLongPlain },
  { step: 3, error: 'too_large', body: () => tooLongInflated },
  { step: 3, error: 'bad_encoding', encoding: 'br' },
  { step: 3, error: 'bad_encoding', body: () => gzipSync(known).subarray(0, 30) },
  { step: 3, error: 'empty', body: () => Buffer.alloc(0) },
  { step: 4, error: 'billing_lapsed', company: () => lapsed },
  { step: 5, error: 'a duplicate', body: () => known },
  { step: 6, error: 'invalid_json', body: () => Buffer.from('{') },
  { step: 6, error: 'xml_unsupported', body: () => Buffer.from('<bom/>') },
  { step: 6, error: 'unsupported_format', body: () => Buffer.from('[]') },
  {
    step: 6,
    error: 'invalid_sbom',
    body: () => Buffer.from('{"bomFormat":"CycloneDX","specVersion":"1.6","components":1}'),
  },
]

/** Two faults can be combined if they concern different things. */
function fit(one: Fault, other: Fault): boolean {
  const isSameSubject = (['token', 'company', 'body'] as const).some(
    (subject) => one[subject] !== undefined && other[subject] !== undefined,
  )
  return one.step < other.step && !isSameSubject
}

const pairs = faults.flatMap((first) =>
  faults.filter((second) => fit(first, second)).map((second) => ({ first, second })),
)

async function secretFor(kind: Fault['token'], company: Company): Promise<string> {
  if (kind === 'unknown') return `svc_${'a'.repeat(43)}`
  const { id, secret } = await createTokenOf(company)
  if (kind === 'revoked') {
    await database.db.updateTable('token').set({ revoked_at: testNow }).where('id', '=', id).execute()
  }
  if (kind === 'spent') {
    const use = { token_id: id, last_used_at: testNow, window_started_at: testNow }
    await database.db
      .insertInto('token_use')
      .values({ ...use, window_requests: limits.requestsPerWindow })
      .execute()
  }
  return secret
}

/** A deleted family gets no new tokens, but keeps the existing ones. */
async function createTokenOf(company: Company): Promise<{ id: string; secret: string }> {
  if (company !== deleted) return createFamilyToken(database.db, company)
  await setDeleted(company, null)
  const token = await createFamilyToken(database.db, company)
  await setDeleted(company, testNow)
  return token
}

async function setDeleted({ familyId }: Company, deletedAt: Date | null): Promise<void> {
  await database.db.updateTable('family').set({ deleted_at: deletedAt }).where('id', '=', familyId).execute()
}

async function send(given: Fault[]) {
  const all = Object.assign({}, ...given) as Fault
  const headers = all.encoding === undefined ? {} : { 'content-encoding': all.encoding }
  const token = await secretFor(all.token, all.company?.() ?? trial)
  const body = all.body?.() ?? sampleSbom({ components: 1, serial: 2 })
  return call(`${http.url}/api/v1/sboms`, { method: 'POST', token, headers, body })
}

describe('order of checks', () => {
  it('has every pair', () => {
    expect(pairs.length).toBeGreaterThan(40)
  })

  it.each(pairs)('$first.error before $second.error', async ({ first, second }) => {
    if (first.step === 5 || second.step === 5) await makeKnown()
    expect(await send([second, first])).toMatchObject({ body: { error: first.error } })
  })

  it('a duplicate is answered without reading the document', async () => {
    await makeKnown()
    expect(await send([{ step: 5, error: 'a duplicate', body: () => known }])).toMatchObject({ status: 200 })
  })

  it('the body size before the encoding', async () => {
    const both = { step: 3, error: 'too_large', body: () => tooLongPlain, encoding: 'br' }
    expect(await send([both])).toMatchObject({ status: 413 })
  })

  it('the encoding before emptiness', async () => {
    const both = { step: 3, error: 'bad_encoding', body: () => Buffer.alloc(0), encoding: 'br' }
    expect(await send([both])).toMatchObject({ status: 400, body: { error: 'bad_encoding' } })
  })
})

/** Both families that can have a file already have this one. */
async function makeKnown(): Promise<void> {
  for (const company of [trial, lapsed]) {
    if (company === lapsed) await setPlan(lapsed, 'core')
    const { secret } = await createFamilyToken(database.db, company)
    await call(`${http.url}/api/v1/sboms`, { method: 'POST', token: secret, body: known })
    if (company === lapsed) await setPlan(lapsed, 'free')
  }
}

async function setPlan(company: Company, plan: 'core' | 'free'): Promise<void> {
  await database.db.updateTable('workspace').set({ plan }).where('id', '=', company.workspaceId).execute()
}
