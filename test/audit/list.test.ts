import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuditEvent, type AuditPage } from '../../src/contract/audit/shapes.ts'
import {
  exportAuditEvents,
  getAuditEvent,
  listAuditActors,
  listAuditEvents,
} from '../../src/contract/audit/operations.ts'
import { renameFamily } from '../../src/contract/products/operations.ts'
import { signIn } from '../../src/contract/people/operations/session.ts'
import type { QueryOf } from '../../src/contract/operation.ts'
import { provision } from '../../src/provision/provision.ts'
import { recordActs } from '../../src/audit/record-acts.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { endBoth } from '../support/http.ts'
import { rowsOf } from '../support/read-as.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let now = testNow

let { store, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, umbrella, owner } = await openAppScene({ now: () => now }))
})
afterAll(() => endBoth(http, store))

const trail = (query: QueryOf<typeof listAuditEvents> = {}) => owner.call(listAuditEvents, { query })
const one = async (event: number | string | undefined) => {
  const { status, body } = await owner.ask(getAuditEvent, { params: { event } })
  return { status, body }
}
const minute = 60_000

/** A person's acts on the first family, one a minute. */
async function rename(names: readonly string[]): Promise<void> {
  const person = { kind: 'person', id: acme.members.owner.id, name: 'owner of acme' } as const
  await store.db.transaction().execute((tx) =>
    recordActs(
      tx,
      names.map((name, index) => ({
        workspaceId: acme.id,
        actor: { ...person, requestId: 'r-1', address: '192.0.2.7' },
        at: new Date(testNow.getTime() + index * minute),
        action: 'family.renamed',
        object: { kind: 'family', id: acme.families[0]?.id ?? '', name },
        before: { name: 'Pump 1' },
        after: { name },
      })),
    ),
  )
}

describe('the audit trail of a workspace', () => {
  it('shows what was done, by whom, on what and from where, the newest first', async () => {
    await owner.call(renameFamily, { params: { family: acme.families[0]?.id }, body: { name: 'Big pump' } })
    const [newest] = (await trail()).rows
    expect(newest).toMatchObject({
      at: testNow.toISOString(),
      actor: { kind: 'person', id: acme.members.owner.id, name: 'owner of acme' },
      action: 'family.renamed',
      object: { kind: 'family', id: acme.families[0]?.id, name: 'Big pump' },
      before: { name: 'Pump 1' },
      after: { name: 'Big pump' },
      address: '127.0.0.1',
    })
    expect(newest?.requestId).toMatch(/./)
  })

  it('shows the sign-ins of its members, failed ones too, and of nobody else', async () => {
    const failed = await new AppSession(http.url).refused(signIn, {
      body: { email: acme.members.viewer.email, password: 'not the password' },
    })
    expect(failed.status).toBe(401)
    await AppSession.signIn(http.url, umbrella.members.owner)
    const { rows } = await trail({ objectKind: 'person' })
    const people = new Set(rows.map(({ object }) => object.id))
    expect(people).toEqual(new Set([acme.members.owner.id, acme.members.viewer.id]))
    expect(rows.map(({ action }) => action)).toContain('person.sign_in_failed')
    expect(rows.map(({ action }) => action)).toContain('person.signed_in')
  })

  it('shows no sign-in from before somebody was a member, nor from after', async () => {
    await store.db
      .updateTable('member')
      .set({ created_at: new Date(testNow.getTime() + minute) })
      .where('person_id', '=', acme.members.viewer.id)
      .execute()
    expect((await trail({ action: 'person.sign_in_failed' })).rows).toEqual([])
    await store.db
      .updateTable('member')
      .set({
        created_at: new Date(testNow.getTime() - minute),
        removed_at: new Date(testNow.getTime() - 1),
      })
      .where('person_id', '=', acme.members.viewer.id)
      .execute()
    expect((await trail({ action: 'person.sign_in_failed' })).rows).toEqual([])
    await store.db
      .updateTable('member')
      .set({ created_at: testNow, removed_at: null })
      .where('person_id', '=', acme.members.viewer.id)
      .execute()
    expect((await trail({ action: 'person.sign_in_failed' })).rows).toHaveLength(1)
  })

  it('pages through every event once, and counts them', async () => {
    await rename(Array.from({ length: 230 }, (_, index) => `Pump ${index}`))
    const seen: AuditEvent[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: AuditPage = await trail({
        action: 'family.renamed',
        cursor: cursor === '' ? undefined : cursor,
      })
      expect(page).toMatchObject({ total: 231, isLowerBound: false })
      seen.push(...page.rows)
      cursor = page.nextCursor
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(231)
    const times = seen.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('gives one event by its number, however far back it is, and none of another workspace', async () => {
    const [oldest] = (await trail({ action: 'family.created' })).rows
    expect(oldest).toBeDefined()
    expect(await one(oldest?.id)).toEqual({ status: 200, body: oldest })
    const [signIn] = (await trail({ action: 'person.signed_in' })).rows
    expect(await one(signIn?.id)).toEqual({ status: 200, body: signIn })
    const foreign = await store.db
      .selectFrom('audit_event')
      .select('id')
      .where('workspace_id', '=', umbrella.id)
      .executeTakeFirstOrThrow()
    for (const nothing of [foreign.id, 999_999_999, 0, '-1', 'x', '1'.repeat(30)]) {
      expect(await one(nothing), String(nothing)).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
  })

  it.each([
    ['an actor', () => ({ actor: acme.members.owner.id }), (event: AuditEvent) => event.actor.id],
    ['a kind of actor', () => ({ actorKind: 'system' as const }), (event: AuditEvent) => event.actor.kind],
    ['an act', () => ({ action: 'token.created' as const }), (event: AuditEvent) => event.action],
    ['a kind of object', () => ({ objectKind: 'token' as const }), (event: AuditEvent) => event.object.kind],
    ['an object', () => ({ object: acme.families[1]?.id }), (event: AuditEvent) => event.object.id],
  ])('is filtered by %s', async (_name, filter, value) => {
    const { rows, total } = await trail(filter())
    const all = (await trail()).total
    expect(rows.length).toBeGreaterThan(0)
    expect(total).toBeLessThan(all)
    expect(new Set(rows.map(value)).size).toBe(1)
    expect(Object.values(filter())).toContain(String(rows.map(value)[0]))
  })

  it('begins and ends days in the time zone of the workspace', async () => {
    await store.db
      .updateTable('workspace')
      .set({ time_zone: 'Pacific/Kiritimati' })
      .where('slug', '=', 'acme')
      .execute()
    const day = (at: string) =>
      new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' }).format(new Date(at))
    const today = day(testNow.toISOString())
    const { rows } = await trail({ from: today, until: today })
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ at }) => day(at)))).toEqual(new Set([today]))
    expect((await trail({ until: '2020-01-31' })).total).toBe(0)
    expect((await trail({ from: '2099-01-31' })).total).toBe(0)
  })

  it.each([
    'from=yesterday',
    'until=2026-02-30',
    'from=0000-01-01',
    'from=2026-1-1',
    'action=family.stolen',
    'cursor=x',
  ])('refuses %s', async (query) => {
    const asked = { query: Object.fromEntries(new URLSearchParams(query)) }
    expect((await owner.refused(listAuditEvents, asked)).body).toMatchObject({ error: 'invalid_request' })
  })

  it('takes the first and the last day of the calendar', async () => {
    expect((await trail({ from: '0001-01-01', until: '9999-12-31' })).total).toBeGreaterThan(0)
    expect((await trail({ until: '0001-01-01' })).total).toBe(0)
    expect((await trail({ from: '9999-12-31' })).total).toBe(0)
  })

  it('is for owners, admins and leads', async () => {
    const members = (['admin', 'lead', 'editor'] as const).map((role) => ({
      email: `${role}@acme.example`,
      name: role,
      role,
      password: 'a long enough password',
    }))
    const workspace = {
      slug: 'acme',
      companyName: 'acme company',
      securityContactEmail: 's@acme.example',
      plan: 'core',
    }
    await provision(store.db, { workspaces: [{ ...workspace, members }] }, testNow)
    const status = async ({ email, password }: { email: string; password: string }) => {
      const session = await AppSession.signIn(http.url, { email, password })
      const reads = [listAuditEvents, listAuditActors, exportAuditEvents]
      return Promise.all(reads.map(async (read) => (await session.ask(read)).status))
    }
    const [admin, lead, editor] = await Promise.all(members.map(status))
    expect([admin, lead]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ])
    expect(editor).toEqual([403, 403, 403])
    expect(await status(acme.members.viewer)).toEqual([403, 403, 403])
  })

  it('names whom it can be asked for', async () => {
    const { people, tokens } = await owner.call(listAuditActors)
    expect(people).toContainEqual({ id: acme.members.owner.id, name: 'owner of acme', isRemoved: false })
    expect(tokens.map(({ name }) => name)).toContain('ops')
    expect(people.map(({ id }) => id)).not.toContain(umbrella.members.owner.id)
  })
})

describe('the audit trail as a file', () => {
  it('is CSV whose texts are not formulas', async () => {
    const hostile = ['=HYPERLINK("http://x","y")', '+1', '-1', '@A1', '\t=1', '\r=1', 'a"b', 'a,b', 'a;=1']
    now = new Date(testNow.getTime() + 24 * 60 * minute)
    await rename(hostile)
    const answer = await owner.ask(exportAuditEvents, { query: { action: 'family.renamed' } })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="acme-audit-${now.toISOString().slice(0, 10)}.csv"`,
      'content-security-policy': 'sandbox',
    })
    const lines = String(answer.body).split('\r\n')
    expect(lines[0]).toContain('"time","actor kind","actor"')
    expect(String(answer.body)).toContain(`"'=HYPERLINK(""http://x"",""y"")"`)
    for (const sign of ['=', '+', '-', '@', '\t', '\r']) {
      expect(String(answer.body)).toContain(`,"'${sign}`)
      expect(String(answer.body)).not.toContain(`,"${sign}`)
    }
    expect(String(answer.body)).toContain(`"a;'=1"`)
  })

  it('begins with the mark by which spreadsheets know UTF-8', async () => {
    const file = await owner.open(exportAuditEvents)
    expect(Buffer.from(await file.body.bytes()).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  })

  it('is JSON with every event that the list shows', async () => {
    const answer = await owner.ask(exportAuditEvents, { query: { format: 'json', action: 'family.renamed' } })
    expect(answer.headers['content-type']).toBe('application/json')
    const exported = rowsOf(AuditEvent, answer.body)
    expect(answer.body).toMatchObject({ workspace: 'acme', filters: { action: 'family.renamed' } })
    const { rows, total } = await trail({ action: 'family.renamed' })
    expect(exported).toHaveLength(total)
    expect(exported.slice(0, 100)).toEqual(rows)
  })

  it('crosses the border of what is read at once', async () => {
    await rename(Array.from({ length: 2_300 }, (_, index) => `Valve ${index}`))
    const answer = await owner.ask(exportAuditEvents, { query: { format: 'json', action: 'family.renamed' } })
    const rows = rowsOf(AuditEvent, answer.body)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.length).toBe(2_300 + 231 + 9)
  })

  it('is recorded with its filters, and begins with that record', async () => {
    now = new Date(testNow.getTime() + 48 * 60 * minute)
    const answer = await owner.ask(exportAuditEvents, { query: { format: 'json', actorKind: 'person' } })
    const rows = rowsOf(AuditEvent, answer.body)
    expect(rows[0]).toMatchObject({
      action: 'audit.exported',
      actor: { name: 'owner of acme' },
      object: { kind: 'workspace', id: acme.id },
      after: { format: 'json', actorKind: 'person' },
    })
    expect((await trail()).rows[0]).toEqual(rows[0])
  })
})
