import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import {
  acceptInvitation,
  changeRole,
  getInvitation,
  invite,
  joinByInvitation,
  leaveWorkspace,
  listMembers,
  removeMember,
  resendInvitation,
  withdrawInvitation,
} from '../../src/contract/people/operations/members.ts'
import { createToken, listTokens } from '../../src/contract/tokens/operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { openPeopleScene, password, type PeopleScene } from './people-scene.ts'
import { anyText } from '../support/expected.ts'
import { fieldOf } from '../support/read-as.ts'

let scene: PeopleScene
let sessions: Record<'owner' | 'admin' | 'viewer', AppSession>

beforeAll(async () => {
  scene = await openPeopleScene()
  sessions = {
    owner: await scene.signIn('owner'),
    admin: await scene.signIn('admin'),
    viewer: await scene.signIn('viewer'),
  }
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.now = testNow
})
afterEach(async () => {
  const { db } = scene.database
  await db.deleteFrom('mail_request_window').execute()
  await db.updateTable('member').set({ removed_at: null }).execute()
  for (const role of ['owner', 'admin', 'lead', 'editor', 'viewer'] as const) {
    const id = await scene.idOf(role)
    await db.updateTable('member').set({ role }).where('person_id', '=', id).execute()
  }
})

type By = keyof typeof sessions
const sendInvitation = (email: string, role: Role = 'editor', by: By = 'owner', more = {}) =>
  sessions[by].ask(invite, { body: { email, role, ...more } })
const accept = (secret: string, change = {}, session = new AppSession(scene.http.url)) =>
  session.ask(acceptInvitation, { body: { secret, name: 'Nora New', password, ...change } })
const listed = (by: By = 'owner') => sessions[by].call(listMembers)

describe('an invitation', () => {
  it('brings a new person into the workspace, once', async () => {
    const sent = await sendInvitation('nora@new.example', 'lead')
    expect(sent.status).toBe(201)
    const letter = await scene.letterTo('nora@new.example')
    expect(letter.subject).toBe('You are invited to a workspace')
    expect(letter.text).toContain('Company: acme company\nInvited by: owner of acme\n')
    expect(letter.text).toContain('https://monitor.example/app/sign-in/invitation#')
    expect((await listed()).invitations).toMatchObject([
      { email: 'nora@new.example', role: 'lead', invitedBy: 'owner of acme', isExpired: false },
    ])
    expect((await listed('viewer')).invitations).toBeNull()
    const visitor = new AppSession(scene.http.url)
    const state = await visitor.call(getInvitation, { body: { secret: letter.secret } })
    expect(state).toMatchObject({ companyName: 'acme company', role: 'lead', hasAccount: false })
    const hidden = await accept(letter.secret, { name: 'No\u202era' })
    expect(hidden).toMatchObject({ status: 400, body: { fields: { name: anyText } } })
    const answers = await Promise.all([1, 2, 3].map(() => accept(letter.secret)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const { members: now, invitations: left } = await listed()
    expect(now).toContainEqual(expect.objectContaining({ name: 'Nora New', role: 'lead' }))
    expect(left).toEqual([])
    expect(await scene.told('member.joined')).toEqual(['admin of acme', 'owner of acme'])
    await AppSession.signIn(scene.http.url, { email: 'nora@new.example', password })
    expect((await scene.acts()).filter((action) => action === 'invitation.accepted')).toHaveLength(1)
  })

  it('is joined by a person with an account, and by nobody else', async () => {
    const email = scene.emailOf('editor', 'umbrella')
    await sendInvitation(email, 'viewer')
    const { secret } = await scene.letterTo(email)
    expect((await accept(secret)).status).toBe(409)
    const join = (session: AppSession) => session.ask(joinByInvitation, { body: { secret } })
    expect((await join(new AppSession(scene.http.url))).status).toBe(401)
    expect((await join(await scene.signIn('lead', 'umbrella'))).status).toBe(409)
    const joined = await join(await scene.signIn('editor', 'umbrella'))
    expect(joined).toMatchObject({
      status: 200,
      body: { slug: 'acme', workspaces: [{ slug: 'acme', role: 'viewer' }, { slug: 'umbrella' }] },
    })
  })

  it('holds seven days, and a new message ends the link of the one before', async () => {
    const { body } = await sendInvitation('late@new.example')
    const id = String(fieldOf(body, 'id'))
    const first = await scene.letterTo('late@new.example')
    scene.now = later(60)
    await sessions.owner.call(resendInvitation, { params: { invitation: id } })
    expect((await accept(first.secret)).status).toBe(404)
    const second = await scene.letterTo('late@new.example')
    scene.now = later(60 + 7 * 24 * 60)
    sessions.owner = await scene.signIn('owner')
    expect((await listed()).invitations).toMatchObject([{ id, isExpired: true }])
    expect((await accept(second.secret)).status).toBe(404)
    expect((await sendInvitation('late@new.example')).status).toBe(201)
    const third = await scene.letterTo('late@new.example')
    expect((await accept(third.secret)).status).toBe(200)
  })

  it('ends when it is withdrawn, and the message that waits is not sent', async () => {
    const { body } = await sendInvitation('gone@new.example')
    const id = String(fieldOf(body, 'id'))
    const { secret } = await scene.letterTo('gone@new.example')
    const withdraw = () => sessions.admin.ask(withdrawInvitation, { params: { invitation: id } })
    expect((await withdraw()).status).toBe(204)
    expect((await withdraw()).status).toBe(404)
    expect((await accept(secret)).status).toBe(404)
    expect((await scene.letterTo('gone@new.example')).secret).toBe('')
  })

  it('ends when its sender may no longer invite', async () => {
    await sendInvitation('friend@new.example', 'admin', 'admin')
    const { secret } = await scene.letterTo('friend@new.example')
    const admin = await scene.idOf('admin')
    await sessions.owner.call(removeMember, { params: { person: admin }, body: {} })
    expect((await accept(secret)).status).toBe(404)
  })

  it('is refused for members, for owners by admins, and past its limits', async () => {
    expect(await sendInvitation(scene.emailOf('viewer').toUpperCase())).toMatchObject({
      status: 400,
      body: { fields: { email: 'This person is already a member.' } },
    })
    expect((await sendInvitation('boss@new.example', 'owner', 'admin')).status).toBe(403)
    expect(await sendInvitation('boss@new.example', 'owner')).toMatchObject({
      body: { fields: { password: /required/ } },
    })
    expect((await sendInvitation('boss@new.example', 'owner', 'owner', { password })).status).toBe(201)
    const tries = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => sendInvitation('often@new.example')))
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 429, 429])
  })
})

const change = async (target: Role, role: Role, by: By = 'owner', more = {}) =>
  sessions[by].ask(changeRole, { params: { person: await scene.idOf(target) }, body: { role, ...more } })
const remove = async (target: Role, by: By = 'owner', more = {}) =>
  sessions[by].ask(removeMember, { params: { person: await scene.idOf(target) }, body: more })

describe('roles', () => {
  it.each([
    ['admin', 'viewer', 'admin', 204],
    ['admin', 'viewer', 'owner', 403],
    ['admin', 'owner', 'viewer', 403],
    ['admin', 'admin', 'editor', 204],
    ['viewer', 'editor', 'viewer', 403],
    ['owner', 'admin', 'viewer', 204],
  ] as const)('%s makes %s %s: %i', async (by, target, role, status) => {
    expect((await change(target, role, by)).status).toBe(status)
  })

  it('make an owner only after the password, and tell the admins and the person', async () => {
    expect(await change('lead', 'owner')).toMatchObject({
      status: 400,
      body: { fields: { password: /required/ } },
    })
    expect(await change('lead', 'owner', 'owner', { password: 'wrong password!' })).toMatchObject({
      status: 400,
      body: { fields: { password: 'This is not your password.' } },
    })
    expect((await change('lead', 'owner', 'owner', { password })).status).toBe(204)
    expect(await scene.told('member.role_changed')).toContain('lead of acme')
    expect((await change('lead', 'lead', 'owner', { password })).status).toBe(204)
  })

  it('leave at least one owner, also of two who go at once', async () => {
    expect((await change('owner', 'viewer', 'owner', { password })).status).toBe(409)
    await change('lead', 'owner', 'owner', { password })
    const lead = await scene.signIn('lead')
    const leave = (session: AppSession) => session.ask(leaveWorkspace)
    const answers = await Promise.all([leave(sessions.owner), leave(lead)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('the end of a membership', () => {
  it('is at once: the next request finds no workspace, and the tokens of the person keep working', async () => {
    const editor = await scene.signIn('lead')
    const family = await scene.database.db.selectFrom('family').selectAll().executeTakeFirstOrThrow()
    const made = await editor.call(createToken, {
      body: { name: 'ci', kind: 'upload', familyId: family.id, expiresInDays: null },
    })
    await editor.call(getWorkspace)
    expect((await remove('lead', 'admin')).status).toBe(204)
    expect((await editor.refused(getWorkspace)).status).toBe(404)
    const { secret } = made
    const upload = await fetch(`${scene.http.url}/api/v1/sboms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: '{}',
    })
    expect(upload.status).toBe(415)
    const tokens = await sessions.owner.call(listTokens)
    expect(tokens).toMatchObject({
      tokens: [{ name: 'ci', createdBy: 'lead of acme', creatorRemoved: true, status: 'Active' }],
    })
    expect(await scene.told('member.removed')).toEqual(
      expect.arrayContaining(['admin of acme', 'owner of acme']),
    )
    const entries = await scene.database.db
      .selectFrom('bell_entry')
      .select('fact')
      .where('kind', '=', 'member.removed')
      .execute()
    const told = { member: 'lead of acme', by: 'admin of acme', tokens: 1 }
    expect(entries.map(({ fact }) => fact.data)).toContainEqual(expect.objectContaining(told))
    expect((await remove('lead')).status).toBe(404)
  })

  it('is for owners to decide on owners, after the password', async () => {
    await change('lead', 'owner', 'owner', { password })
    expect((await remove('lead', 'admin')).status).toBe(403)
    expect((await remove('lead')).status).toBe(400)
    expect((await remove('lead', 'owner', { password })).status).toBe(204)
  })

  it("is everybody's own to choose", async () => {
    const left = await sessions.viewer.call(leaveWorkspace)
    expect(left).toMatchObject({ workspaces: [] })
    expect(await scene.acts()).toContain('member.left')
  })
})
