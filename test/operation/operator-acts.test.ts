import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueOperatorLink } from '../../src/workspace/operator/operator-session.ts'
import { lockWorkspace } from '../../src/workspace/workspaces.ts'
import { drain } from '../support/drain.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { addWorkspace } from '../support/rows.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { OperatorBrowser } from './operator-browser.ts'

let database: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let operator: OperatorBrowser
const logged: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  ;[acme, umbrella] = await createScene(database.db)
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  http = await startTestHttp({ database, now: () => testNow, sendsMail: false, log })
  operator = new OperatorBrowser(http.url, baseUrl)
  const { secret } = await issueOperatorLink(database.db, testNow)
  expect((await operator.post(`/operator/enter/${secret}`)).status).toBe(303)
})
afterAll(() => endBoth(http, database))

const secretWords = ['zanzibar-codec', 'Quokka-Pump', 'org.distinctive.secret', 'Brontosaurus Ltd']

/** Unique names in every place of a document. */
const distinctive = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: 'Quokka-Pump', version: '9.9.9', 'bom-ref': 'root' } },
  components: [
    {
      type: 'library',
      'bom-ref': 'a',
      name: 'zanzibar-codec',
      version: '1.0.0',
      group: 'org.distinctive.secret',
      purl: 'pkg:npm/zanzibar-codec@1.0.0',
      author: 'Brontosaurus Ltd',
    },
  ],
})

const upload = (token: string | undefined, body: string) =>
  call(`${http.url}/api/v1/sboms`, { method: 'POST', token: token ?? '', body })

/** Acts of one workspace, newest first. */
async function actsOf({ id }: TestWorkspace) {
  const { rows } = await database.pool.query<{ action: string; actor: string; after: unknown }>(
    `select action, actor_name as actor, after from audit_event where workspace_id = $1 and actor_name = 'operator' order by id desc`,
    [id],
  )
  return rows
}

/** Found through its request, whose log line names the session. */
async function sessionOfAct(action: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ request: string }>(
    'select request_id as request from audit_event where action = $1 order by id desc limit 1',
    [action],
  )
  const line = logged.find((text) => text.includes(`"${rows[0]?.request ?? ''}"`))
  return /"operatorSessionId":"([^"]+)"/.exec(line ?? '')?.[1]
}

/** As recorded in the audit trail when it was opened. */
async function openSession(): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select object_id as id from audit_event where action = 'operator.signed_in' and address = '127.0.0.1'`,
  )
  return rows[0]?.id
}

const act = (slug: string, name: string, fields: Record<string, string>) =>
  operator.post(`/operator/workspaces/${slug}/${name}`, fields, { from: `/operator/workspaces/${slug}` })

it('no page shows what a workspace has stored', async () => {
  const { db } = database
  expect((await upload(acme.families[0]?.upload, distinctive)).status).toBe(202)
  await drain(database.db, testNow)
  await db
    .updateTable('family')
    .set({ name: 'Quokka-Pump' })
    .where('id', '=', acme.families[0]?.id ?? '')
    .execute()
  for (const [key, error] of [
    ['one', `Unexpected token 'z', ..."me": "zanzibar-codec", "ver"... is not valid JSON`],
    ['two', 'could not post to https://hooks.example/T1/Quokka-Pump?zanzibar-codec'],
    ['three', 'cannot read `zanzibar-codec`\nQuokka-Pump'],
    ['four', 'duplicate key value violates unique constraint "finding_pkey"'],
  ] as const) {
    await enqueueJob(db, { kind: 'refresh_source', key, payload: { source: key }, runAt: testNow })
    await db
      .updateTable('job')
      .set({ state: 'failed', attempts: 1, failed_at: testNow, last_error: error, workspace_id: acme.id })
      .where('key', '=', key)
      .execute()
  }
  await database.pool.query(
    `insert into mail (id, workspace_id, person_id, event_id, kind, fact, is_named, recipient, recipient_name, subject, text, html, state, created_at, due_at)
    select gen_random_uuid(), $1, $2, gen_random_uuid(), kind, jsonb_build_object('type', kind), true, 'olga@acme.example', 'Olga',
      'About zanzibar-codec', 'Quokka-Pump', '<p>Quokka-Pump</p>', 'kept', $3, $3
    from unnest(array['incident.opened', 'upload.failed']) kind`,
    [acme.id, acme.members.owner.id, testNow],
  )
  await database.pool.query(
    `insert into mail (id, event_id, kind, fact, is_named, recipient, recipient_name, subject, state, created_at, due_at)
    values (gen_random_uuid(), gen_random_uuid(), 'letter.invitation', '{"type": "letter.invitation"}', true, 'new@acme.example', '', $1, 'kept', $2, $2)`,
    ['Eve\u202einvites you', testNow],
  )
  const pages = await Promise.all(
    [
      '',
      '/workspaces',
      '/workspaces/acme',
      '/jobs',
      '/jobs?kind=refresh_source',
      '/mail',
      '/mail?state=kept',
    ].map(async (path) => ({ path, ...(await operator.get(`/operator${path}`)) })),
  )
  for (const { path, status, text } of pages) {
    expect(status, path).toBe(200)
    const hidden = [...secretWords, 'acme company', 'security@acme.example', 'Pump 2']
    expect(
      hidden.filter((word) => text.includes(word)),
      path,
    ).toEqual([])
  }
  const [, list, workspace, jobs, , mail] = pages.map(({ text }) => text)
  expect(list).toContain('href="/operator/workspaces/acme"')
  expect(workspace).toMatch(/Documents<\/dt>\s*<dd>1</)
  expect(jobs).toContain('constraint finding_pkey')
  expect(jobs).toContain('https://hooks.example/…')
  expect(mail).toContain('olga@acme.example')
  expect(mail).toContain('Incident opened')
  expect(mail).toContain('Eve[U+202E]invites you')
})

describe('a suspension', () => {
  it('asks for a reason and the slug, says what is wrong and keeps what was typed', async () => {
    const refused = await act('umbrella', 'suspend', { reason: 'Unpaid since <May>', confirm: 'acme' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Type umbrella, exactly as it is written here.')
    expect(refused.text).toContain('value="Unpaid since &#60;May&#62;"')
    const bare = await act('umbrella', 'suspend', { confirm: 'umbrella' })
    expect([bare.status, bare.text.includes('Say why, in a few words.')]).toEqual([422, true])
    const hidden = await act('umbrella', 'suspend', { confirm: 'umbrella', reason: 'a\u202eb' })
    expect(hidden.text).toContain('It contains an invisible character (U+202E).')
    const long = await act('umbrella', 'suspend', { confirm: 'umbrella', reason: 'x'.repeat(301) })
    expect(long.text).toContain('At most 300 characters.')
    expect(await actsOf(umbrella)).toEqual([])
  })

  it('holds from the next request on, until it is lifted; both are in the trail of the workspace', async () => {
    const token = umbrella.families[0]?.upload
    const done = await act('umbrella', 'suspend', { reason: 'Unpaid since May', confirm: 'umbrella' })
    expect([done.status, done.headers['location']]).toEqual([
      303,
      '/operator/workspaces/umbrella?done=suspended',
    ])
    expect((await upload(token, distinctive)).status).toBe(402)
    const page = await operator.get('/operator/workspaces/umbrella?done=suspended')
    expect(page.text).toContain('The workspace is suspended')
    expect(page.text).toContain('reason: Unpaid since May')
    expect(page.text).not.toContain('Suspend umbrella')
    const session = await openSession()
    expect(session).toMatch(/^[0-9a-f-]{36}$/)
    expect(await sessionOfAct('workspace.suspended')).toBe(session)
    expect((await act('umbrella', 'lift', {})).status).toBe(303)
    expect((await upload(token, distinctive)).status).toBe(202)
    expect(await actsOf(umbrella)).toEqual([
      { action: 'workspace.suspension_lifted', actor: 'operator', after: null },
      { action: 'workspace.suspended', actor: 'operator', after: { reason: 'Unpaid since May' } },
    ])
  })
})

describe('a plan', () => {
  it.each([
    ['core', '2020-01-01', 'acme', 'Expected a time to come, found &#34;2020-01-01&#34;.'],
    ['core', 'tomorrow', 'acme', 'Expected a day (2027-01-31) or a moment'],
    ['core', '2027-02-30', 'acme', 'Expected a day (2027-01-31) or a moment'],
    ['core', '9999-12-31T23:00:00-02:00', 'acme', 'Expected a day (2027-01-31) or a moment'],
    ['free', '2027-01-31', 'acme', '&#34;free&#34; has no end.'],
    ['gold', '', 'acme', 'Choose a plan.'],
    ['closed', '', '', 'Type acme, exactly as it is written here.'],
  ])('%s until "%s" with "%s" typed is refused', async (plan, until, confirm, why) => {
    const before = await actsOf(acme)
    const { status, text } = await act('acme', 'plan', { plan, until, confirm })
    expect(status).toBe(422)
    expect(text).toContain(why)
    expect(await actsOf(acme)).toEqual(before)
  })

  it('is set with its end, closes, and reopens in one act', async () => {
    const set = (plan: string, until = '') => act('acme', 'plan', { plan, until, confirm: 'acme' })
    expect((await set('plus', '2027-01-31')).status).toBe(303)
    const { text } = await operator.get('/operator/workspaces/acme?done=plan')
    expect(text).toContain('The plan was changed.')
    expect(text).toContain('31 Jan 2027, 23:59 UTC')
    expect((await set('closed')).status).toBe(303)
    expect((await operator.get('/operator/workspaces/acme')).text).toContain('Closed</span>')
    expect((await set('core')).status).toBe(303)
    expect((await operator.get('/operator/workspaces/acme')).text).toContain(
      'On the plan core, which has no end.',
    )
    expect((await actsOf(acme)).map(({ action }) => action)).toEqual([
      'workspace.plan_changed',
      'workspace.reopened',
      'workspace.closed',
      'workspace.plan_changed',
    ])
  })
})

it('a workspace that is closed already stays so since it was', async () => {
  const close = () => act('umbrella', 'plan', { plan: 'closed', until: '', confirm: 'umbrella' })
  expect((await close()).status).toBe(303)
  const dated = { closed_at: new Date(testNow.getTime() - 20 * 86_400_000) }
  await database.db.updateTable('workspace').set(dated).where('id', '=', umbrella.id).execute()
  const recorded = (await actsOf(umbrella)).length
  expect((await close()).status).toBe(303)
  const kept = database.db.selectFrom('workspace').select('closed_at').where('id', '=', umbrella.id)
  expect(await kept.executeTakeFirst()).toEqual(dated)
  expect(await actsOf(umbrella)).toHaveLength(recorded)
  await act('umbrella', 'plan', { plan: 'core', until: '', confirm: 'umbrella' })
})

describe('ceilings', () => {
  it('that two operators set at the same time are both kept', async () => {
    const set = (fields: Record<string, string>) => act('umbrella', 'ceilings', fields)
    const sent = await database.db.transaction().execute(async (tx) => {
      await lockWorkspace(tx, umbrella.id)
      const both = [set({ families: '30' }), set({ sboms: '40' })]
      await untilWaiting(database, both.length)
      return both
    })
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([303, 303])
    const [last] = await actsOf(umbrella)
    expect(last).toMatchObject({ after: { families: 30, sboms: 40 } })
    await set({ families: '', sboms: '' })
    const recorded = (await actsOf(umbrella)).length
    await set({ families: '', sboms: '' })
    expect(await actsOf(umbrella)).toHaveLength(recorded)
  })

  it('that are not numbers are refused, and nothing is set', async () => {
    const { status, text } = await act('acme', 'ceilings', { families: '3', sboms: 'many', bytes: '-1' })
    expect(status).toBe(422)
    expect(text).toContain('Expected a whole number up to 2147483647, or none; found &#34;many&#34;.')
    expect(text).toContain('value="many"')
    expect((await operator.get('/operator/workspaces/acme')).text).not.toContain('of 3')
  })

  it('are set together, said in the refusal, and lifted by an empty field', async () => {
    expect((await act('acme', 'ceilings', { families: '20', sboms: '1', bytes: '' })).status).toBe(303)
    const refused = await upload(acme.families[1]?.upload, distinctive.replace('9.9.9', '9.9.8'))
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      402,
      expect.stringContaining('hold 1 SBOM at most'),
    ])
    const { text } = await operator.get('/operator/workspaces/acme')
    expect(text).toContain('2 of 20')
    await act('acme', 'ceilings', { families: '', sboms: '', bytes: '' })
    expect((await upload(acme.families[1]?.upload, distinctive.replace('9.9.9', '9.9.8'))).status).toBe(202)
    const [lifted, set] = await actsOf(acme)
    expect(set).toMatchObject({ after: { families: 20, sboms: 1, bytes: null, files: null } })
    expect(lifted).toMatchObject({ after: { families: null, sboms: null, bytes: null, files: null } })
  })
})

describe('failed jobs', () => {
  const failedKeys = async () => {
    const failed = database.db.selectFrom('job').select('key').where('state', '=', 'failed')
    return (await failed.orderBy('key').execute()).map(({ key }) => key)
  }
  const retry = (fields: Record<string, string>) =>
    operator.post('/operator/jobs/retry', fields, { from: '/operator/jobs' })

  it('run again one by one, or all of a kind, and that is in the trail of the installation', async () => {
    expect(await failedKeys()).toEqual(['four', 'one', 'three', 'two'])
    const page = await operator.get('/operator/jobs')
    const id = /aria-label="Retry job (\d+)"/.exec(page.text)?.[1] ?? ''
    const one = await retry({ id })
    expect([one.status, one.headers['location']]).toEqual([303, '/operator/jobs?waiting=1'])
    expect(await failedKeys()).toHaveLength(3)
    const again = await retry({ id })
    expect(again.headers['location']).toBe('/operator/jobs?waiting=0')
    expect((await operator.get('/operator/jobs?waiting=0')).text).toContain('No job was put back')
    const none = await retry({ kind: 'match_sbom' })
    expect(none.headers['location']).toBe('/operator/jobs?waiting=0')
    const kind = await retry({ kind: 'refresh_source' })
    expect(kind.headers['location']).toBe('/operator/jobs?waiting=3')
    expect(await failedKeys()).toEqual([])
    expect((await operator.get('/operator/jobs')).text).toContain('No job has failed.')
    const { rows } = await database.pool.query<{ after: unknown; workspace_id: null; actor_name: string }>(
      `select after, workspace_id, actor_name from audit_event where action = 'jobs.retried' order by id`,
    )
    expect(rows[0]).toEqual({
      after: { which: { ids: [Number(id)] }, waiting: 1 },
      workspace_id: null,
      actor_name: 'operator',
    })
    expect(rows.at(-1)).toMatchObject({ after: { which: { kind: 'refresh_source' }, waiting: 3 } })
  })

  it('are not run again by a form that names none', async () => {
    for (const fields of [{}, { id: 'x' }, { kind: 'constructor' }]) {
      const { status, text } = await retry(fields)
      expect([status, text.includes('Nothing was changed.')]).toEqual([422, true])
    }
  })
})

it('the list of workspaces is searched and turned page by page', async () => {
  for (let number = 100; number < 160; number += 1) await addWorkspace(database.db, `plant-${number}`)
  const slugsOf = (text: string) =>
    [...text.matchAll(/href="\/operator\/workspaces\/([\w-]+)"/g)].map(([, slug]) => slug)
  const found = await operator.get('/operator/workspaces?search=PLANT')
  expect(found.text).toContain('60\u00a0workspaces with “plant”')
  expect(slugsOf(found.text)).toHaveLength(50)
  const next = /href="(\/operator\/workspaces\?[^"]+)" rel="next"/.exec(found.text)?.[1] ?? ''
  const second = await operator.get(next.replaceAll('&#38;', '&'))
  expect(slugsOf(second.text)).toEqual(Array.from({ length: 10 }, (_, place) => `plant-${150 + place}`))
  expect(second.text).not.toContain('rel="next"')
  const none = await operator.get('/operator/workspaces?search=%25')
  expect(none.text).toContain('No workspace has “%” in its slug.')
})

it('an unknown workspace can be neither seen nor changed', async () => {
  const { status, text } = await operator.get('/operator/workspaces/nobody')
  expect([status, text.includes('There is no workspace with the slug “nobody”.')]).toEqual([404, true])
  const form = { from: '/operator' }
  const fields = { reason: 'x', confirm: 'nobody' }
  expect((await operator.post('/operator/workspaces/nobody/suspend', fields, form)).status).toBe(404)
})

it('the overview says what needs attention', async () => {
  await enqueueJob(database.db, {
    kind: 'refresh_source',
    key: 'kev',
    payload: { source: 'kev' },
    runAt: testNow,
  })
  await database.db
    .updateTable('job')
    .set({ state: 'failed', last_error: 'x' })
    .where('key', '=', 'kev')
    .execute()
  await database.pool.query(
    `insert into data_source (name, address, last_error, last_success_at, record_count)
    values ('kev', 'https://reader:secret-of-the-mirror@mirror.example', 'https://mirror.example/kev?key=query-of-the-mirror answered 503', $1, 12)`,
    [new Date(testNow.getTime() - 3 * 3_600_000)],
  )
  const { text } = await operator.get('/operator')
  expect(text).toMatch(/1\u00a0failed job<\/a>/)
  expect(text).toContain('1\u00a0source of vulnerability data could not be read last time.')
  expect(text).toContain('There is no mail server')
  expect(text).toContain('3 h ago')
  expect(text).toMatch(/In place<\/span\s*>/)
  expect(text).not.toMatch(/secret-of-the-mirror|query-of-the-mirror/)
})

it('hostile values in addresses and forms are answered and change nothing', async () => {
  const values = ['%00', '%ff', "';drop", '%E2%80%AE', '..%2f', '%', 'a'.repeat(3_000), '<script>']
  for (const value of values) {
    for (const path of [`/workspaces?search=${value}&after=${value}`, `/jobs?kind=${value}&waiting=${value}`])
      expect((await operator.get(`/operator${path}`)).status, path).toBe(200)
    for (const path of [`/mail?state=${value}&state=x`, `/workspaces/acme?done=${value}`])
      expect((await operator.get(`/operator${path}`)).status, path).toBe(200)
    expect([400, 404]).toContain((await operator.get(`/operator/workspaces/${value}`)).status)
  }
  const before = await actsOf(acme)
  const from = { from: '/operator/workspaces/acme' }
  for (const text of ['\0', '__proto__', '\u{d800}', '<b>"\'&', '1e9', '٣']) {
    const ceilings = { families: text, sboms: text, bytes: text }
    expect((await operator.post('/operator/workspaces/acme/ceilings', ceilings, from)).status).toBe(422)
    const plan = { plan: text, until: text, confirm: text }
    expect((await operator.post('/operator/workspaces/acme/plan', plan, from)).status).toBe(422)
  }
  expect(await actsOf(acme)).toEqual(before)
})
