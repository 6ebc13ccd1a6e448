import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hourMs, minuteMs } from '../../src/contract/durations.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { testNow } from '../support/clock.ts'
import { runCommand } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { formTokenIn, OperatorBrowser } from './operator-browser.ts'
import { textLike } from '../support/expected.ts'
import { signIn } from '../../src/contract/people/operations/session.ts'
import { AppSession } from '../support/app-session.ts'
import { listFamilies } from '../../src/contract/products/operations.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let folder: string
let now = testNow
const logged: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  ;[acme] = await createScene(database.db)
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  http = await startTestHttp({ database, now: () => now, log })
  await database.db.deleteFrom('sealing_canary').execute()
  folder = await mkdtemp(join(tmpdir(), 'operator-'))
})
afterAll(async () => {
  await http.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  now = testNow
  await database.db.deleteFrom('sign_in_window').execute()
})

const key = newKeyText()

/** A CLI command at the test's time. */
async function cli<T>(...args: string[]): Promise<T> {
  const clock = join(folder, 'time')
  await writeFile(clock, now.toISOString())
  const env = { ...process.env, DATABASE_URL: database.url, BASE_URL: baseUrl, ENCRYPTION_KEYS: key }
  return runCommand<T>({ ...env, LAB_CLOCK_OFFSET_FILE: clock }, args)
}

const browser = () => new OperatorBrowser(http.url, baseUrl)

async function newLink(): Promise<string> {
  const { link } = await cli<{ link: string }>('operator', 'link')
  return new URL(link).pathname
}

/** A browser that has used a link. */
async function signedIn(): Promise<OperatorBrowser> {
  const operator = browser()
  expect((await operator.post(await newLink())).status).toBe(303)
  return operator
}

describe('the link', () => {
  it('opens a session once, by its button and not by being looked at; only hashes are stored, nothing is logged', async () => {
    const printed = await cli<{ link: string; expiresAt: string }>('operator', 'link')
    expect(printed.link).toMatch(/^https:\/\/monitor\.example\/operator\/enter\/[\w-]{43}$/)
    expect(printed.expiresAt).toBe(new Date(testNow.getTime() + 15 * minuteMs).toISOString())
    const path = new URL(printed.link).pathname
    const operator = browser()
    for (const _look of [1, 2]) {
      const page = await operator.get(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain('<button>Sign in as operator</button>')
      expect(page.headers['set-cookie']).toBeUndefined()
    }
    const entered = await operator.post(path)
    expect([entered.status, entered.headers['location']]).toEqual([303, '/operator'])
    const cookie = String(entered.headers['set-cookie'])
    expect(cookie).toMatch(
      /^__Host-sbom_monitor_operator=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(new Date(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '').getTime()).toBe(testNow.getTime() + 8 * hourMs)
    expect((await operator.get('/operator')).status).toBe(200)
    // used up
    expect((await browser().get(path)).status).toBe(404)
    expect((await browser().post(path)).status).toBe(404)
    const secrets = [path.split('/').at(-1) ?? '', operator.cookie.split('=')[1] ?? '']
    expect(await tablesWith(secrets)).toEqual([])
    expect(logged.join('')).toContain('/operator/enter/[redacted]')
    for (const secret of secrets) expect(logged.join('')).not.toContain(secret)
  })

  it('of two browsers that use it at the same moment lets one in', async () => {
    const path = await newLink()
    const answers = await Promise.all([browser().post(path), browser().post(path)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
  })

  it('ends after 15 minutes, and lives no longer when the clock was set back', async () => {
    const path = await newLink()
    now = new Date(testNow.getTime() + 15 * minuteMs)
    expect((await browser().get(path)).status).toBe(404)
    expect((await browser().post(path)).status).toBe(404)
    now = new Date(testNow.getTime() - 5 * minuteMs)
    expect((await browser().get(path)).status).toBe(404)
    now = new Date(testNow.getTime() + 15 * minuteMs - 1)
    expect((await browser().get(path)).status).toBe(200)
  })

  it('is not used by another site', async () => {
    const path = await newLink()
    const refused = await browser().post(path, {}, { headers: { origin: 'https://evil.example' } })
    expect(refused.status).toBe(403)
    expect((await browser().post(path)).status).toBe(303)
  })

  it('opens nothing from an address that has tried too many', async () => {
    const path = await newLink()
    const operator = await signedIn()
    const tried = await Promise.all(
      Array.from({ length: 60 }, () => browser().get(`/operator/enter/${'x'.repeat(43)}`)),
    )
    expect(new Set(tried.map(({ status }) => status))).toEqual(new Set([404]))
    expect((await browser().get(path)).status).toBe(404)
    expect((await operator.get('/operator')).status).toBe(200)
    now = new Date(testNow.getTime() + 15 * minuteMs - 1)
    expect((await browser().get(path)).status).toBe(404)
    await database.db.deleteFrom('sign_in_window').execute()
    expect((await browser().get(path)).status).toBe(200)
  })
})

/** Tables that contain one of the secrets. */
async function tablesWith(secrets: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema()`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await database.pool.query(
      `select 1 from ${name} t where exists (select from unnest($1::text[]) s where t::text like '%' || s || '%') limit 1`,
      [secrets],
    )
    if (hits.length > 0) found.push(name)
  }
  return found
}

describe('without a session', () => {
  const paths = ['', '/workspaces', '/workspaces/acme', '/jobs', '/mail', '/nothing']

  it('every address answers as one that does not exist, whatever the method', async () => {
    const compared = async (path: string, method: 'GET' | 'POST' | 'PUT' | 'OPTIONS' | 'DELETE') => {
      const { status, headers, body } = await call(`${http.url}${path}`, { method })
      const { date: _date, 'x-request-id': _id, ...kept } = headers
      return { status, headers: kept, body }
    }
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', 'DELETE'] as const) {
      const unknown = await compared('/there-is-no-such-page', method)
      expect(unknown.status).toBe(404)
      for (const path of [...paths, '/sign-out', '/jobs/retry', '/enter/short', `/enter/${'x'.repeat(43)}`])
        expect(await compared(`/operator${path}`, method), `${method} ${path}`).toEqual(unknown)
    }
  })

  it('a foreign cookie, one of a member and a token open nothing', async () => {
    const { email, password } = acme.members.owner
    const entered = await new AppSession(http.url).ask(signIn, { body: { email, password } })
    const [owner = ''] = String(entered.headers['set-cookie']).split(';')
    expect(owner).toMatch(/^__Host-sbom_monitor_session=/)
    const operator = await signedIn()
    const secret = operator.cookie.split('=')[1] ?? ''
    const foreign = [
      `__Host-sbom_monitor_operator=${'x'.repeat(43)}`,
      `__Host-sbom_monitor_operator=${owner.split('=')[1] ?? ''}`,
      `sbom_monitor_operator=${secret}`,
      owner,
    ]
    for (const cookie of foreign) {
      const { status } = await call(`${http.url}/operator`, { headers: { cookie } })
      expect(status, cookie).toBe(404)
    }
    expect((await call(`${http.url}/operator`, { token: acme.workspaceToken })).status).toBe(404)
    // nor does the operator's cookie open anything in a workspace
    for (const cookie of [operator.cookie, `__Host-sbom_monitor_session=${secret}`]) {
      const foreigner = new AppSession(http.url).in('acme')
      const { status } = await foreigner.refused(listFamilies, { headers: { cookie } })
      expect(status).toBe(401)
    }
  })
})

describe('a session', () => {
  it('ends after 8 hours', async () => {
    const operator = await signedIn()
    now = new Date(testNow.getTime() + 8 * hourMs - 1)
    expect((await operator.get('/operator')).status).toBe(200)
    now = new Date(testNow.getTime() + 8 * hourMs)
    expect((await operator.get('/operator')).status).toBe(404)
  })

  it('ends by signing out, for the store too, and all of them by the command', async () => {
    const [one, two, three] = [await signedIn(), await signedIn(), await signedIn()]
    const { cookie } = one
    const out = await one.post('/operator/sign-out', {}, { from: '/operator' })
    expect([out.status, out.headers['location']]).toEqual([303, '/'])
    one.cookie = cookie
    expect((await one.get('/operator')).status).toBe(404)
    expect((await two.get('/operator')).status).toBe(200)
    const path = await newLink()
    const { ended } = await cli<{ ended: { sessions: number; links: number } }>('operator', 'sign-out')
    expect(ended.sessions).toBeGreaterThanOrEqual(2)
    expect(ended.links).toBeGreaterThanOrEqual(1)
    for (const operator of [two, three]) expect((await operator.get('/operator')).status).toBe(404)
    expect((await browser().get(path)).status).toBe(404)
    const { rows } = await database.pool.query<{ action: string; workspace_id: null; actor_name: string }>(
      `select action, workspace_id, actor_name from audit_event where action like 'operator.%' order by id desc limit 2`,
    )
    expect(rows).toEqual([
      { action: 'operator.sessions_ended', workspace_id: null, actor_name: 'command line' },
      { action: 'operator.signed_out', workspace_id: null, actor_name: 'operator' },
    ])
  })

  it('is open in every process, and ended in one it is ended in all', async () => {
    const second = await startTestHttp({ database, now: () => now })
    try {
      const operator = await signedIn()
      const there = new OperatorBrowser(second.url, baseUrl)
      there.cookie = operator.cookie
      expect((await there.get('/operator')).status).toBe(200)
      expect((await there.post('/operator/sign-out', {}, { from: '/operator' })).status).toBe(303)
      expect((await operator.get('/operator')).status).toBe(404)
    } finally {
      await second.stop()
    }
  })

  it('has pages that are never kept, indexed or framed, and run nothing', async () => {
    const operator = await signedIn()
    for (const path of ['', '/workspaces', '/workspaces/acme', '/jobs', '/mail']) {
      const { status, headers, text } = await operator.get(`/operator${path}`)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        'x-frame-options': 'DENY',
        'content-security-policy': textLike(
          /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
        ),
      })
      expect(text).not.toMatch(/<script|javascript:| style="| on\w+="/i)
    }
    expect((await operator.get('/operator/workspaces/nobody')).status).toBe(404)
  })

  it('takes forms of its own pages only', async () => {
    const [operator, other] = [await signedIn(), await signedIn()]
    const form = formTokenIn((await other.get('/operator')).text)
    const fields = { reason: 'unpaid', confirm: 'acme' }
    const path = '/operator/workspaces/acme/suspend'
    const own = formTokenIn((await operator.get('/operator')).text)
    expect((await operator.post(path, fields)).status).toBe(403)
    expect((await operator.post(path, { ...fields, form })).status).toBe(403)
    const foreign = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]
    for (const headers of foreign)
      expect((await operator.post(path, { ...fields, form: own }, { headers })).status).toBe(403)
    expect((await operator.post(path, { ...fields, form: own, reason: 'x'.repeat(20_000) })).status).toBe(413)
    const { rows } = await database.pool.query(`select 1 from workspace where suspended_at is not null`)
    expect(rows).toEqual([])
  })
})

it('with the pages switched off there is neither an address nor a link', async () => {
  const path = await newLink()
  const off = await startTestHttp({ database, now: () => now, hasOperatorPages: false })
  try {
    expect((await new OperatorBrowser(off.url, baseUrl).get(path)).status).toBe(404)
    expect((await new OperatorBrowser(off.url, baseUrl).post(path)).status).toBe(404)
  } finally {
    await off.stop()
  }
  const env = { ...process.env, DATABASE_URL: database.url, BASE_URL: baseUrl, OPERATOR_PAGES: 'off' }
  await expect(runCommand(env, ['operator', 'link'])).rejects.toThrow('OPERATOR_PAGES')
})
