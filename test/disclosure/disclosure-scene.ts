import pino from 'pino'
import { request } from 'undici'
import { hourMs } from '../../src/contract/durations.ts'
import type { ReportState } from '../../src/contract/disclosure/shapes.ts'
import type { Role } from '../../src/contract/roles.ts'
import type { Message, Sending } from '../../src/notices/mail/transport.ts'
import { provision } from '../../src/provision/provision.ts'
import type { OriginalsSettings } from '../../src/originals/configured.ts'
import type { Sealing } from '../../src/platform/sealing/sealing.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { quickHash } from '../support/quick-hash.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'

export type PageAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

type SentFile = { name: string; bytes: Uint8Array }
export type Sent = {
  fields: Record<string, string | Uint8Array>
  files?: SentFile[]
  headers?: Record<string, string>
}

/** Two workspaces behind one HTTP server with a test clock. */
export type DisclosureScene = {
  database: TestDatabase
  http: TestHttp
  acme: TestWorkspace
  umbrella: TestWorkspace
  clock: { now: Date }
  wait: (ms: number) => void
  get: (path: string, headers?: Record<string, string>) => Promise<PageAnswer>
  post: (path: string, sent: Sent) => Promise<PageAnswer>
  /** Opens the form, waits as people do, and sends it. */
  report: (slug: string, fields?: Record<string, string>, files?: SentFile[]) => Promise<PageAnswer>
  /** Sends a report with words of its own, outside the hourly limits. Returns its number and its status page. */
  received: (fields?: Record<string, string>, slug?: string) => Promise<{ number: number; path: string }>
  /** What became of the report that arrived last. */
  newestReport: () => Promise<{ state: ReportState; spam_reasons: string[] }>
  signIn: (workspace: TestWorkspace, role: 'owner' | 'viewer') => Promise<AppSession>
  member: (workspace: TestWorkspace, role: Role) => Promise<AppSession>
  close: () => Promise<void>
}

export const described = {
  title: 'Heap overflow in the update service',
  description: 'Send a header of 70 000 bytes to port 8443. The service writes behind its buffer.',
}

type SceneOptions = {
  sealing?: Sealing
  /** Default: originals are in the database. */
  objectStore?: OriginalsSettings
  hasParserChildren?: boolean
  /** Default: a database of its own. */
  database?: TestDatabase
}

export async function openDisclosureScene({
  database: given,
  ...options
}: SceneOptions = {}): Promise<DisclosureScene> {
  const database = given ?? (await createTestDatabase())
  const [acme, umbrella] = await createScene(database.db)
  const clock = { now: testNow }
  const http = await startTestHttp({ database, now: () => clock.now, trustProxy: 1, ...options })
  let texts = 0
  const scene: DisclosureScene = {
    database,
    http,
    acme,
    umbrella,
    clock,
    wait: (ms) => {
      clock.now = new Date(clock.now.getTime() + ms)
    },
    get: (path, headers = {}) => ask(`${http.url}${path}`, { method: 'GET', headers }),
    post: (path, sent) => ask(`${http.url}${path}`, { method: 'POST', ...multipart(sent) }),
    report: async (slug, fields = {}, files = []) => {
      const stamp = stampIn(await scene.get(`/disclose/${slug}`))
      scene.wait(60_000)
      return scene.post(`/disclose/${slug}`, { fields: { stamp, ...described, ...fields }, files })
    },
    received: async (fields = {}, slug = 'acme') => {
      scene.wait(hourMs)
      texts += 1
      const path = receiptPath(await scene.report(slug, { description: `Words ${texts}`, ...fields }))
      return { number: await numberOf(scene, path), path }
    },
    newestReport: () =>
      database.db
        .selectFrom('inbox_report')
        .select(['state', 'spam_reasons'])
        .orderBy('received_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    signIn: (workspace, role) => AppSession.signIn(http.url, workspace.members[role]),
    member: async (workspace, role) => {
      const password = 'a long enough password'
      const email = `${role}-more@${workspace.slug}.example`
      const made = {
        slug: workspace.slug,
        companyName: `${workspace.slug} company`,
        securityContactEmail: `security@${workspace.slug}.example`,
        plan: 'core' as const,
        members: [{ email, name: `${role} more`, role, password }],
      }
      await provision(database.db, { workspaces: [made] }, clock.now, { hash: quickHash })
      return AppSession.signIn(http.url, { email, password })
    },
    close: async () => {
      await http.stop()
      await database.drop()
    },
  }
  return scene
}

/** The number of the report with this status page. */
export async function numberOf(scene: Pick<DisclosureScene, 'get'>, path: string): Promise<number> {
  const [, number] = /<h1>Report (\d+)<\/h1>/.exec((await scene.get(`${path}?lang=en`)).body) ?? []
  return Number(number)
}

/** What reporters are told with by mail; each message is given to `send`, which says what becomes of it. */
export function mailingOf({ database, clock }: DisclosureScene, send: (message: Message) => Sending) {
  return {
    db: database.db,
    now: () => clock.now,
    log: pino({ level: 'silent' }),
    sealing: testSealing,
    transport: {
      send: (message: Message) => Promise.resolve(send(message)),
      close: () => undefined,
    },
    baseUrl,
    messageDomain: 'monitor.example',
  }
}

async function ask(url: string, options: Parameters<typeof request>[1]): Promise<PageAnswer> {
  const response = await request(url, options)
  return { status: response.statusCode, headers: response.headers, body: await response.body.text() }
}

const boundary = 'form-of-a-test'

/** A form encoded as by a browser; binary fields are sent as they are. */
export function multipart({ fields, files = [], headers = {} }: Sent) {
  const parts = [
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    ...files.map(({ name, bytes }) =>
      part(`name="attachments"; filename="${name}"`, bytes, 'content-type: application/octet-stream\r\n'),
    ),
  ]
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

function part(disposition: string, value: string | Uint8Array, more = ''): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')])
}

export function stampIn({ body }: PageAnswer): string {
  const [, stamp] = /name="stamp" value="([^"]+)"/.exec(body) ?? []
  if (stamp === undefined) throw new Error('the page has no form')
  return stamp
}

/** The status page of a received report. */
export function receiptPath({ status, headers }: PageAnswer): string {
  if (status !== 303) throw new Error(`the report was answered ${status}`)
  return String(headers['location']).split('?')[0] ?? ''
}
