import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import pino, { type Logger } from 'pino'
import type { Db } from '../../src/database/connection.ts'
import { ArrivingBodies } from '../../src/http/bodies/arriving-bodies.ts'
import { paceRule, type PaceRule } from '../../src/http/bodies/body-pace.ts'
import { exportBounds } from '../../src/http/app/exports/export-share.ts'
import { requestBounds, searchBounds } from '../../src/http/app/routing/request-share.ts'
import { publicBounds } from '../../src/disclosure-site/public-share.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { createServer } from '../../src/http/server.ts'
import { createRegistry } from '../../src/platform/metrics.ts'
import { createOutbound, type Outbound } from '../../src/platform/outbound/outbound.ts'
import type { TrustedProxies } from '../../src/platform/config/config.ts'
import { startParser, type Parser } from '../../src/parser/client.ts'
import type { Stripe } from '../../src/workspace/billing/stripe.ts'
import type { SignUpRules } from '../../src/people/sign-up.ts'
import { PasswordSemaphore } from '../../src/people/password-semaphore.ts'
import { openOriginals, type OriginalsSettings } from '../../src/originals/configured.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { KnownGraphs } from '../../src/sbom/dependencies/known-graphs.ts'
import { Shares } from '../../src/platform/concurrency/shares.ts'
import { createSealing, placeCanary, type Sealing } from '../../src/platform/sealing/sealing.ts'
import { readsOfPrimary, type Reads } from '../../src/platform/postgres/replica/reads.ts'
import type { TestDatabase } from './database.ts'
import { letGoOf } from './let-go.ts'
import { startInnerParser } from './inner-parser.ts'
import { judgeAnswer, refuseMisfit } from './judge-answer.ts'

/** An HTTP server in the test process, listening on loopback. */
export type TestHttp = {
  url: string
  port: number
  parser: Parser
  /** Passes the test clock to the parser children; every request does so, too. */
  tellTime: () => void
  /** Every registered method and address. */
  routes: readonly Route[]
  /** The text of its metrics. */
  metrics: () => Promise<string>
  stop: () => Promise<void>
}

export type Route = { method: string; url: string }

export type HttpOptions = {
  database: Pick<TestDatabase, 'connection' | 'db'>
  now: () => Date
  log?: Logger
  metricsToken?: string
  db?: Db
  reads?: Reads
  trustProxy?: TrustedProxies
  publicUrl?: string
  /** The minimum speed of request bodies. */
  pace?: PaceRule
  /** The limits of incoming bodies. */
  bodyBounds?: { maxBytes: number; maxBodies: number }
  /** How long a client may take no data of its answer. */
  stalledMs?: number
  /** The time limit of a request. */
  requestMs?: number
  switchedOff?: string[]
  sealing?: Sealing
  /** An object store; default: originals are in the database. */
  objectStore?: OriginalsSettings
  sendsMail?: boolean
  signUp?: SignUpRules
  outbound?: Outbound
  stripe?: Stripe
  hasOperatorPages?: boolean
  /** Parses files in child processes, as the service does, instead of this process: for tests about what becomes of a file. */
  hasParserChildren?: boolean | { silentMs: number }
}

/** Keys of the whole test process. */
export const testKeys = parseKeys(newKeyText())
export const testSealing = createSealing(createKeyRing(testKeys))
export const testChatHosts = {
  chatA: ['hooks.slack.com'],
  chatB: ['logic.azure.com', 'api.powerplatform.com'],
}

/** Resolves no names: nothing of a test leaves the machine. */
const noOutbound = createOutbound({
  dnsServer: null,
  resolve: () => Promise.resolve([]),
  dialMap: new Map(),
  allowedOrigins: {},
})

const openSignUp: SignUpRules = { isOpen: true, termsUrl: null, privacyUrl: null }

export const baseUrl = 'https://monitor.example'

export async function startTestHttp(options: HttpOptions): Promise<TestHttp> {
  const { database, now, trustProxy = false, stalledMs, requestMs } = options
  const service = openService(options)
  const { clock, parser, originals } = service
  const stopping = new AbortController()
  await placeCanary(database.db, testSealing, now())
  const deps = depsOf(options, { ...service, stopping: stopping.signal })
  // A placeholder for the built web application: a test that shows pages starts the service.
  const webDir = join(import.meta.dirname, 'web')
  const waits = {
    ...(stalledMs === undefined ? {} : { stalledMs }),
    ...(requestMs === undefined ? {} : { requestMs }),
  }
  const app = createServer({ deps, trustProxy, tls: null, webDir, judgeAnswer, ...waits })
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    routes.push(...[method].flat().map((one) => ({ method: one, url })))
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const http: TestHttp = {
    url,
    port: Number(new URL(url).port),
    parser,
    routes,
    tellTime: clock.read,
    metrics: () => deps.metrics.registry.metrics(),
    stop: async () => {
      stopping.abort()
      await app.close()
      await originals.store?.close()
      await parser.close(2_000)
      clock.remove()
      letGoOf(http)
    },
  }
  return http
}

/** What is beside the server. */
type TestService = ReturnType<typeof openService>

function openService({
  database: { connection },
  now,
  log = pino({ level: 'silent' }),
  sealing = testSealing,
  objectStore,
  hasParserChildren = false,
}: HttpOptions) {
  const clock = new SharedClock(now)
  const stored = objectStore ?? null
  const originals = openOriginals(stored, { log, sealing })
  const parser = startedWhenUsed(() =>
    hasParserChildren === false
      ? startInnerParser({ connection, log, now: clock.read, originals })
      : startParser({
          ...(hasParserChildren === true ? {} : hasParserChildren),
          entry: { module: join(import.meta.dirname, 'parser-entry.ts'), args: [] },
          store: Promise.resolve({ connection, originals: stored }),
          clockOffsetFile: clock.file,
          log,
        }),
  )
  return { clock, log, sealing, originals, parser }
}

function depsOf(
  {
    database,
    db = database.db,
    reads = readsOfPrimary(db),
    pace = paceRule,
    bodyBounds = { maxBytes: 256 * 1024 * 1024, maxBodies: 1_000 },
    publicUrl = baseUrl,
    metricsToken,
    hasOperatorPages = true,
    switchedOff = [],
    sendsMail = true,
    signUp = openSignUp,
    outbound = noOutbound,
    stripe,
  }: HttpOptions,
  { clock, log, sealing, originals, parser, stopping }: TestService & { stopping: AbortSignal },
): HttpDeps {
  const bodies = new ArrivingBodies({ ...bodyBounds, strangers: bodyBounds, pace })
  return {
    db,
    now: clock.read,
    log,
    parser,
    bodies,
    reads,
    passwords: new PasswordSemaphore(),
    exports: new Shares(exportBounds(10)),
    requests: new Shares(requestBounds(10)),
    publicPages: new Shares(publicBounds(10)),
    searches: new Shares(searchBounds(10)),
    graphs: new KnownGraphs(),
    metrics: createMetrics(createRegistry({ version: '0.0.0', role: 'test' }), parser, bodies),
    baseUrl: publicUrl,
    serviceName: 'SBOM Monitor',
    storeState: () => Promise.resolve({ store: true, writable: true }),
    metricsToken: metricsToken ?? null,
    operator: hasOperatorPages ? { version: '0.0.0', keysFrom: 'ENCRYPTION_KEYS' } : null,
    switchedOff,
    sealing,
    originals,
    degraded: () => Promise.resolve([]),
    chatHosts: testChatHosts,
    sendsMail,
    signUp,
    outbound,
    stripe: stripe ?? null,
    stopping,
  }
}

/** Half of the test files upload nothing: they start no children. */
function startedWhenUsed(start: () => Parser): Parser {
  let started: Parser | undefined
  const parser = () => (started ??= start())
  return {
    run: (job) => parser().run(job),
    state: () => parser().state(),
    close: async (withinMs) => started?.close(withinMs),
  }
}

/** A test clock, and the file that passes its last reading to the parser children. */
class SharedClock {
  readonly file: string
  readonly read: () => Date
  readonly #folder = mkdtempSync(join(tmpdir(), 'test-clock-'))

  constructor(now: () => Date) {
    this.file = join(this.#folder, 'time')
    let told = ''
    this.read = () => {
      const at = now()
      if (at.toISOString() !== told) {
        told = at.toISOString()
        writeFileSync(`${this.file}.new`, told)
        renameSync(`${this.file}.new`, this.file)
      }
      return at
    }
    this.read()
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: unknown }

type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'
  headers?: Record<string, string>
  token?: string
  body?: Uint8Array | string
}

/** Makes one request; parses a JSON answer. */
export async function call(
  url: string,
  { method = 'GET', headers = {}, token, body }: Call = {},
): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await request(url, {
    method,
    headers: { ...authorization, ...headers },
    body: body ?? null,
    headersTimeout: 60_000,
  })
  const text = await response.body.text()
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return refuseMisfit<Answer>({
    status: response.statusCode,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  })
}

/** Closes a server and its database. */
export async function endBoth(
  http: Pick<TestHttp, 'stop'>,
  store: Pick<TestDatabase, 'drop'>,
): Promise<void> {
  await http.stop()
  await store.drop()
}
