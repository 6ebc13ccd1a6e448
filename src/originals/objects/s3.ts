import { createHash } from 'node:crypto'
import type { Dispatcher, Pool } from 'undici'
import type { ObjectStoreKeys } from '../../platform/config/aws-variables.ts'
import type { Bucket } from '../../platform/config/object-store.ts'
import { ObjectStoreError, type ObjectStore } from './object-store.ts'
import { codeOf, readListing } from './s3-answers.ts'
import { createSigner, type Signer, type Unsigned } from './signing.ts'

/** The limit of a whole call: connection, request and answer. Nothing waits longer for a store. */
const callMs = 10_000
const connectMs = 3_000
/** After a call that was not answered in time the next ones are not begun. */
const pauseMs = 2_000
const connections = 16
/** Of a listing or an error. */
const maxTextBytes = 4 * 1024 * 1024
const emptySha256 = createHash('sha256').digest('hex')
/** A lost connection or a brief failure is retried once: every call may be repeated. */
const attempts = 2

type Call = Omit<Unsigned, 'path' | 'query' | 'bodySha256'> & {
  key?: string
  query?: Record<string, string>
  body?: { bytes: Buffer; sha256: Buffer }
  maxBytes?: number
}
type Answer = { status: number; hasTag: boolean; body: Buffer; isCut: boolean }

/** A bucket by its S3 API. */
export function createS3(place: Bucket, keys: ObjectStoreKeys): ObjectStore {
  const client = new S3Client(place, createSigner(place, keys))
  return {
    put: async (key, bytes, sha256) => {
      const answer = await client.call({ method: 'PUT', key, body: { bytes, sha256 } })
      if (answer.status !== 200) throw refused({ method: 'PUT', key }, answer)
      if (!answer.hasTag) throw noStore(`PUT ${key}`, '200 without ETag')
    },
    get: async (key, maxBytes) => {
      const answer = await client.call({ method: 'GET', key, maxBytes })
      if (answer.status === 404 && codeOf(answer.body) === 'NoSuchKey') return null
      if (answer.status !== 200) throw refused({ method: 'GET', key }, answer)
      if (!answer.hasTag) throw noStore(`GET ${key}`, '200 without ETag')
      return answer.body
    },
    has: async (key) => {
      const answer = await client.call({ method: 'HEAD', key })
      if (answer.status !== 200 && answer.status !== 404) throw refused({ method: 'HEAD', key }, answer)
      return answer.status === 200
    },
    remove: async (key) => {
      const answer = await client.call({ method: 'DELETE', key })
      const isGone = answer.status === 404 && codeOf(answer.body) === 'NoSuchKey'
      if (!isGone && answer.status !== 204 && answer.status !== 200)
        throw refused({ method: 'DELETE', key }, answer)
    },
    list: (prefix) => list(client, prefix),
    keepsVersions: async () => {
      const answer = await client.call({ method: 'GET', query: { versioning: '' } })
      return answer.status === 200 ? /<Status>/.test(answer.body.toString('utf8')) : null
    },
    close: () => client.close(),
  }
}

async function* list(client: S3Client, prefix: string): ReturnType<ObjectStore['list']> {
  let next: string | null = null
  do {
    const answer: Answer = await client.call({
      method: 'GET',
      query: { 'list-type': '2', prefix, ...(next === null ? {} : { 'continuation-token': next }) },
    })
    if (answer.status !== 200 || answer.isCut) throw refused({ method: 'GET (list)' }, answer)
    const page = readListing(answer.body.toString('utf8'))
    if (page === null) throw noStore('GET (list)', '200 without a list')
    if (page.next === '') throw noStore('GET (list)', 'a list that goes on, without where')
    yield page.keys
    next = page.next
  } while (next !== null)
}

/** Every store names what it has kept, and what it lists; a page of a proxy's own does not. */
function noStore(what: string, found: string): ObjectStoreError {
  return new ObjectStoreError('refused', `what answers to ${what} is not an object store: ${found}`)
}

function refused({ method, key }: { method: string; key?: string }, { status, body }: Answer) {
  const code = codeOf(body)
  const what = key === undefined ? method : `${method} ${key}`
  return new ObjectStoreError(
    'refused',
    `the object store answered ${status}${code === '' ? '' : ` ${code}`} to ${what}`,
  )
}

class S3Client {
  readonly #place: Bucket
  readonly #sign: Signer
  #pool: Promise<Pool> | undefined
  #awayUntil = 0

  constructor(place: Bucket, sign: Signer) {
    this.#place = place
    this.#sign = sign
  }

  async call(call: Call): Promise<Answer> {
    if (performance.now() < this.#awayUntil)
      throw new ObjectStoreError('away', 'the object store did not answer in time a moment ago')
    const signal = AbortSignal.timeout(callMs)
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === attempts
      try {
        const answer = await this.#send(call, signal)
        if (answer.status < 500 && answer.status !== 429) return answer
        if (isLast) throw new ObjectStoreError('away', refused(call, answer).message)
      } catch (error) {
        if (error instanceof ObjectStoreError) throw error
        // the next caller would wait as long
        if (signal.aborted) this.#awayUntil = performance.now() + pauseMs
        if (isLast || signal.aborted) throw awayBecause(error, signal)
      }
    }
  }

  async #send(
    { method, key, query = {}, body, maxBytes = maxTextBytes }: Call,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { basePath } = this.#place
    const path = key === undefined ? `${basePath}/` : `${basePath}/${pathOf(key)}`
    const bodySha256 = body?.sha256.toString('hex') ?? emptySha256
    const headers = await this.#sign({ method, path, query, bodySha256 })
    this.#pool ??= openPool(this.#place.origin)
    const pool = await this.#pool
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    const response = await pool.request({
      path: search === '' ? path : `${path}?${search}`,
      method,
      headers: { ...headers, 'user-agent': 'sbom-monitor' },
      body: body?.bytes ?? null,
      signal,
    })
    const { statusCode: status, headers: said } = response
    return { status, hasTag: said['etag'] !== undefined, ...(await readBody(response, maxBytes)) }
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy()
  }
}

/** A stranger's key may have any character: an open "?" would end the path, and another object be meant. Escaped as the signature wants it. */
function pathOf(key: string): string {
  const escaped = encodeURIComponent(key).replaceAll('%2F', '/')
  return escaped.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

async function openPool(origin: string): Promise<Pool> {
  // a service without an object store does without its hundred modules
  const { Pool } = await import('undici')
  return new Pool(origin, {
    connections,
    allowH2: false,
    connect: { timeout: connectMs },
    // the signal is the bound of all phases
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

async function readBody(
  response: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<Pick<Answer, 'body' | 'isCut'>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) return { body: Buffer.concat(chunks), isCut: true }
  }
  return { body: Buffer.concat(chunks), isCut: false }
}

function awayBecause(error: unknown, signal: AbortSignal): ObjectStoreError {
  const why = signal.aborted ? 'did not answer in time' : 'cannot be reached'
  return new ObjectStoreError('away', `the object store ${why}`, error)
}
