import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emitEvent } from '../../src/alerts/deliveries/emit.ts'
import { insertBellEntries, sendNotice } from '../../src/notices/tell-members.ts'
import { newId } from '../../src/platform/random.ts'
import { runRetention } from '../../src/worker/retention.ts'
import { securityKinds, type NoticeKind } from '../../src/contract/notices/shapes.ts'
import {
  changeNoticeSettings,
  getNoticeSettings,
  listBell,
  markAllRead,
  markRead,
} from '../../src/contract/notices/operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { facts } from './facts.ts'
import { createNoticeScene, emailOf, password, type NoticeScene } from './notice-scene.ts'
import { tester } from '../support/actors.ts'

let scene: NoticeScene
let http: TestHttp

beforeAll(async () => {
  scene = await createNoticeScene()
  http = await startTestHttp({ database: scene.database, now: () => scene.now, sendsMail: false })
})
afterAll(async () => {
  await http.stop()
  await scene.drop()
})
beforeEach(async () => {
  const { db } = scene.database
  for (const table of ['job', 'mail', 'bell_entry', 'member_notices', 'expiry_notice'] as const) {
    await db.deleteFrom(table).execute()
  }
  await db.updateTable('member').set({ removed_at: null }).execute()
  await setPlan(db, { ...act(), plan: 'core' })
  await setClosed(db, { ...act(), closedAt: null })
  scene.now = testNow
})

const act = () => ({ workspaceId: scene.workspaceId, actor: tester, now: scene.now })
const signIn = (role: Parameters<typeof emailOf>[0]) =>
  AppSession.signIn(http.url, { email: emailOf(role), password })

async function put(plan: 'trial' | 'starter' | 'core' | 'plus' | 'free' | 'closed'): Promise<void> {
  const { db } = scene.database
  if (plan === 'closed') await setClosed(db, { ...act(), closedAt: scene.now })
  else await setPlan(db, { ...act(), plan })
}

/** Which roles get a kind of notice, in which states, and which get mail at once. */
const told: Record<
  Exclude<
    NoticeKind,
    | 'sign_in.new_address'
    | 'password.changed'
    | 'second_factor.changed'
    | 'second_factor.guessed'
    | 'incident.note'
  >,
  [string, string, boolean]
> = {
  'incident.opened': ['admin editor lead owner viewer', 'trial starter core plus', true],
  'incident.untaken': ['admin editor lead owner', 'trial starter core plus', true],
  'deadline.warning': ['admin lead owner', 'trial starter core plus free', true],
  'deadline.overdue': ['admin lead owner', 'trial starter core plus free', true],
  'approval.requested': ['admin lead owner', 'trial starter core plus free', true],
  'report.received': ['admin editor lead owner', 'trial starter core plus free', true],
  'report.message': ['admin editor lead owner', 'trial starter core plus free', true],
  'report.unanswered': ['admin editor lead owner', 'trial starter core plus free', true],
  'finding.malware': ['admin editor lead owner viewer', 'trial starter core plus', true],
  'finding.new': ['admin editor lead owner viewer', 'trial starter core plus', false],
  'finding.exploited': ['admin editor lead owner viewer', 'trial starter core plus', false],
  'upload.failed': ['admin editor lead owner', 'trial starter core plus', false],
  'coverage.lost': ['admin editor lead owner', 'trial starter core plus', false],
  'token.expiring': ['admin owner', 'trial starter core plus free', true],
  'plan.ending': ['admin owner', 'trial starter core plus free closed', true],
  'token.created': ['admin owner', 'trial starter core plus free closed', true],
  'token.revoked': ['admin owner', 'trial starter core plus free closed', true],
  'member.joined': ['admin owner', 'trial starter core plus free closed', true],
  'member.role_changed': ['admin owner', 'trial starter core plus free closed', true],
  'member.removed': ['admin owner', 'trial starter core plus free closed', true],
}

describe.each(['trial', 'starter', 'core', 'plus', 'free', 'closed'] as const)('in the state %s', (state) => {
  it.each(Object.entries(told))(
    '%s reaches the roles that may see it',
    async (kind, [rolesTold, states, isMailed]) => {
      await put(state)
      await scene.tell(facts[kind as keyof typeof told])
      const expected = states.split(' ').includes(state) ? rolesTold.split(' ') : []
      expect(await scene.rung(kind as NoticeKind)).toEqual(expected)
      expect(await scene.mailed(kind as NoticeKind)).toEqual(
        isMailed ? expected.map((role) => `${role} kept`) : [],
      )
    },
  )
})

it('an event rings once in the bell of each member and is mailed once, however often its job runs', async () => {
  const eventId = await scene.emit(facts['incident.opened'])
  const again = { workspaceId: scene.workspaceId, eventId, fact: facts['incident.opened'] }
  await Promise.all([1, 2, 3].map(() => emitEvent(scene.database.db, again, scene.now)))
  await scene.settle()
  expect(await scene.rung('incident.opened')).toHaveLength(5)
  expect(await scene.mailed('incident.opened')).toHaveLength(5)
})

it('tells an assignee by name, and nobody who cannot act', async () => {
  await scene.emit(facts['deadline.warning'], { named: [scene.people.editor] })
  expect(await scene.rung('deadline.warning')).toEqual(['admin', 'editor', 'lead', 'owner'])
  await scene.emit(facts['approval.requested'], { except: [scene.people.lead] })
  expect(await scene.mailed('approval.requested')).toEqual(['admin kept', 'owner kept'])
})

describe('when its turn comes, a message is not sent', () => {
  const store = () => scene.database.db
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'to who is no member any more',
      () =>
        store()
          .updateTable('member')
          .set({ removed_at: testNow })
          .where('person_id', '=', scene.people.lead)
          .execute(),
      'the person is no longer a member',
    ],
    [
      'to who lost the role',
      () =>
        store()
          .updateTable('member')
          .set({ role: 'viewer' })
          .where('person_id', '=', scene.people.lead)
          .execute(),
      "the member's role no longer includes it",
    ],
    ['in a workspace closed meanwhile', () => put('closed'), 'the workspace is closed'],
    [
      'to who has chosen otherwise since',
      () =>
        store()
          .insertInto('member_notices')
          .values({
            workspace_id: scene.workspaceId,
            person_id: scene.people.lead,
            time_zone: null,
            choices: JSON.stringify({ 'deadline.warning': 'never' }),
          })
          .execute(),
      'the member has chosen not to receive it this way',
    ],
    [
      'once the deadline has passed',
      () => {
        scene.now = new Date('2026-01-02T00:00:00.000Z')
        return Promise.resolve()
      },
      'the deadline has passed',
    ],
  ])('%s', async (_case, happens, reason) => {
    await sendNotice(
      store(),
      {
        to: { workspaceId: scene.workspaceId },
        fact: facts['deadline.warning'],
        eventId: '0190d3a8-0000-7000-8000-00000000000e',
      },
      scene.now,
    )
    await happens()
    await scene.settle()
    const row = await store()
      .selectFrom('mail')
      .select(['state', 'reason', 'text'])
      .where('person_id', '=', scene.people.lead)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ state: 'not_sent', reason, text: null })
    await store()
      .updateTable('member')
      .set({ role: 'lead' })
      .where('person_id', '=', scene.people.lead)
      .execute()
  })
})

describe('the bell', () => {
  it('shows, counts and marks what a member was told, and nothing of others', async () => {
    await scene.emit(facts['report.received'])
    scene.now = new Date(testNow.getTime() + 1_000)
    await scene.emit(facts['incident.opened'])
    scene.now = new Date(testNow.getTime() + 2_000)
    const owner = await signIn('owner')
    const viewer = await signIn('viewer')
    await drain(scene.database.db, scene.now)
    const bell = (session: AppSession) => session.call(listBell)
    const shown = await bell(owner)
    expect(shown.rows.map(({ headline }) => headline)).toEqual([
      'Your account was signed in to from a new address',
      'Incident INC-2026-0001 opened: Pump opens its valve',
      'Vulnerability report #7 received',
    ])
    expect(shown).toMatchObject({ total: 3, unread: 3 })
    expect((await bell(viewer)).rows.map(({ path }) => path)).toEqual([
      '/app/account',
      '/app/acme/incidents/0190d3a8-0000-7000-8000-000000000001',
    ])
    const entry = shown.rows[2]?.id ?? ''
    expect(await viewer.refused(markRead, { params: { entry } })).toMatchObject({ status: 404 })
    expect(await owner.refused(markRead, { params: { slug: 'umbrella', entry } })).toMatchObject({
      status: 404,
    })
    await owner.call(markRead, { params: { entry } })
    await owner.call(markRead, { params: { entry } })
    expect(await bell(owner)).toMatchObject({ unread: 2, total: 3 })
    await owner.call(markAllRead)
    expect(await bell(owner)).toMatchObject({ unread: 0, total: 3 })
    expect((await bell(viewer)).unread).toBe(2)
  })

  it('hides what a role may not see any more', async () => {
    await scene.emit(facts['report.received'])
    const { db } = scene.database
    await db
      .updateTable('member')
      .set({ role: 'viewer' })
      .where('person_id', '=', scene.people.editor)
      .execute()
    const editor = await signIn('editor')
    const body = await editor.call(listBell)
    expect(body).toMatchObject({ total: 0, unread: 0, rows: [] })
    await db
      .updateTable('member')
      .set({ role: 'editor' })
      .where('person_id', '=', scene.people.editor)
      .execute()
  })

  it('is listed page by page', async () => {
    const owner = await signIn('owner')
    await scene.database.db.deleteFrom('job').execute()
    for (let number = 0; number < 130; number += 1)
      await scene.database.db.transaction().execute(async (tx) => {
        await insertBellEntries(
          tx,
          {
            workspaceId: scene.workspaceId,
            eventId: newId(scene.now),
            fact: facts['incident.opened'],
            people: [{ personId: scene.people.owner, isNamed: false }],
          },
          scene.now,
        )
      })
    const first = await owner.call(listBell)
    const second = await owner.call(listBell, { query: { cursor: first.nextCursor ?? undefined } })
    expect([first.rows.length, second.rows.length, second.nextCursor, first.total]).toEqual([
      100,
      30,
      null,
      130,
    ])
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(130)
  })

  it('keeps read entries and ended mail for ninety days', async () => {
    await scene.emit(facts['report.received'])
    const { db } = scene.database
    await db
      .updateTable('bell_entry')
      .set({ read_at: testNow })
      .where('person_id', '=', scene.people.owner)
      .execute()
    for (const [days, entries, mails] of [
      [89, 4, 4],
      [91, 3, 0],
      [364, 3, 0],
      [366, 0, 0],
    ] as const) {
      const then = new Date(testNow.getTime() + days * 24 * 3_600_000)
      await runRetention(db, { now: then, sealing: testSealing })
      expect((await db.selectFrom('bell_entry').select('id').execute()).length, `${days} days`).toBe(entries)
      expect((await db.selectFrom('mail').select('id').execute()).length, `${days} days`).toBe(mails)
    }
  })
})

describe('choices', () => {
  const change = (session: AppSession, body: unknown) => session.ask(changeNoticeSettings, { body })

  it('are of the kinds that the role is told, and none of them is security', async () => {
    const viewer = await signIn('viewer')
    const { kinds } = await viewer.call(getNoticeSettings)
    expect(kinds.map(({ kind, choice }) => `${kind} ${choice}`)).toEqual([
      'incident.opened at_once',
      'incident.note at_once',
      'finding.malware at_once',
      'finding.new digest',
      'finding.exploited digest',
      'weekly.report never',
    ])
    for (const kind of securityKinds) {
      expect((await change(viewer, { choices: { [kind]: 'never' } })).status, kind).toBe(400)
    }
  })

  it.each([
    [
      { choices: { 'deadline.warning': 'digest' } },
      { 'choices/deadline.warning': 'This cannot wait for a digest.' },
    ],
    [
      { choices: { 'deadline.overdue': 'digest', 'approval.requested': 'digest' } },
      {
        'choices/deadline.overdue': 'This cannot wait for a digest.',
        'choices/approval.requested': 'This cannot wait for a digest.',
      },
    ],
    [
      { choices: { 'finding.new': 'at_once' } },
      { 'choices/finding.new': 'This comes in the daily digest only.' },
    ],
    [{ timeZone: 'Europe/Atlantis' }, { timeZone: 'A time zone name such as Europe/Oslo is required.' }],
  ])('refuses %j', async (body, fields) => {
    expect(await change(await signIn('owner'), body)).toMatchObject({ status: 400, body: { fields } })
  })

  it("hold in a read-only workspace too, are the member's own and in the audit trail", async () => {
    await put('free')
    const lead = await signIn('lead')
    expect(
      (await change(lead, { timeZone: 'Asia/Tokyo', choices: { 'report.received': 'never' } })).status,
    ).toBe(204)
    expect((await change(lead, { choices: { 'incident.opened': 'digest' } })).status).toBe(204)
    const settings = await lead.call(getNoticeSettings)
    expect(settings.timeZone).toBe('Asia/Tokyo')
    expect(
      settings.kinds
        .filter(({ kind }) => ['report.received', 'incident.opened'].includes(kind))
        .map(({ choice }) => choice),
    ).toEqual(['digest', 'never'])
    await scene.emit(facts['report.received'])
    expect(await scene.mailed('report.received')).toEqual(['admin kept', 'editor kept', 'owner kept'])
    expect(await scene.rung('report.received')).toContain('lead')
    const act = await scene.database.db
      .selectFrom('audit_event')
      .select(['actor_name', 'after'])
      .where('action', '=', 'member.notices_changed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(act).toEqual({
      actor_name: 'lead',
      after: { timeZone: 'Asia/Tokyo', choices: { 'report.received': 'never', 'incident.opened': 'digest' } },
    })
  })

  it('that leave nobody to be warned are said, and so is mail that goes nowhere', async () => {
    const [owner, admin, lead] = [await signIn('owner'), await signIn('admin'), await signIn('lead')]
    const state = async () => (await owner.call(getWorkspace)).mail
    expect(await state()).toEqual({ goesNowhere: true, unheard: [] })
    for (const session of [owner, admin, lead])
      await change(session, { choices: { 'deadline.warning': 'never' } })
    expect(await state()).toEqual({ goesNowhere: true, unheard: ['deadline.warning'] })
    await change(lead, { choices: { 'deadline.warning': 'at_once' } })
    expect(await state()).toMatchObject({ unheard: [] })
    await scene.database.db
      .updateTable('member')
      .set({ removed_at: testNow })
      .where('person_id', '=', scene.people.lead)
      .execute()
    expect(await state()).toMatchObject({ unheard: ['deadline.warning'] })
  })
})
