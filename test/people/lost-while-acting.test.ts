import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addDestination } from '../../src/contract/alerts/operations.ts'
import {
  addComment,
  decideDetermination,
  recordDetermination,
} from '../../src/contract/incidents/act-operations.ts'
import { openIncident } from '../../src/contract/incidents/operations.ts'
import type { AppOperation } from '../../src/contract/operation.ts'
import { changePassword, signOutEverywhere } from '../../src/contract/people/operations/account.ts'
import { changeRole, invite, removeMember } from '../../src/contract/people/operations/members.ts'
import { requestEmailChange } from '../../src/contract/people/operations/profile.ts'
import { beginApp, confirmApp } from '../../src/contract/people/operations/second-factor.ts'
import { setIssuer } from '../../src/contract/people/operations/sign-in.ts'
import { createFamily, renameFamily } from '../../src/contract/products/operations.ts'
import type { Role } from '../../src/contract/roles.ts'
import { sendSbom } from '../../src/contract/sbom/upload-operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { codeOf } from '../sign-in/app-codes.ts'
import type { AppSession } from '../support/app-session.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { openPeopleScene, password, type PeopleScene } from './people-scene.ts'

/**
 * Acts of people whose right to them ends while they act: what counts for a second person, or would outlive the right, is refused once the end is
 * certain.
 */

let scene: PeopleScene
let owner: AppSession
let familyId: string

beforeAll(async () => {
  scene = await openPeopleScene()
  owner = await scene.signIn('owner')
  familyId = await scene.familyIdOf('acme')
})
afterAll(() => scene.close())
beforeEach(async () => {
  await scene.database.db.updateTable('member').set({ removed_at: null }).execute()
  await setRole('admin', 'admin')
})

const setRole = async (of: Role, role: Role) => {
  const id = await scene.idOf(of)
  await scene.database.db.updateTable('member').set({ role }).where('person_id', '=', id).execute()
}

/** The status of an act that begins while `ending` has been done, but not committed. */
async function meanwhile(ending: () => Promise<unknown>, act: () => Promise<{ status: number }>) {
  const holder = await scene.database.pool.connect()
  try {
    // every act ends with its audit event
    await holder.query('begin; lock table audit_event in share mode')
    const ended = ending()
    await untilWaiting(scene.database)
    const acted = act()
    // one that need not wait has been refused before
    await Promise.race([untilWaiting(scene.database, 2), acted])
    await holder.query('rollback')
    await ended
    return (await acted).status
  } finally {
    holder.release()
  }
}

type Made = { params?: Record<string, string>; body?: unknown; raw?: Buffer }
const acts: [name: string, known: AppOperation, make: () => Made | Promise<Made>][] = [
  ['an invitation', invite, () => ({ body: { email: 'me@elsewhere.example', role: 'admin' } })],
  [
    'a token',
    createToken,
    () => ({ body: { name: 'kept', kind: 'workspace', familyId: null, expiresInDays: null } }),
  ],
  [
    'a destination',
    addDestination,
    () => ({
      body: {
        kind: 'webhook',
        name: 'Kept',
        url: 'https://hooks.elsewhere.example/',
        events: ['report.received'],
      },
    }),
  ],
  [
    'a role of somebody else',
    changeRole,
    async () => ({ params: { person: await scene.idOf('viewer') }, body: { role: 'admin' } }),
  ],
  [
    'the removal of somebody else',
    removeMember,
    async () => ({ params: { person: await scene.idOf('viewer') }, body: {} }),
  ],
  ['an approval', decideDetermination, async () => ({ params: await recorded(), body: { approve: true } })],
  ['a family', createFamily, () => ({ body: { name: 'Kept' } })],
  [
    'another name of a family',
    renameFamily,
    () => ({ params: { family: familyId }, body: { name: 'Kept' } }),
  ],
  ['an incident', openIncident, () => ({ body: { kind: 'severe_incident', title: 'Kept', families: [] } })],
  ['a comment', addComment, async () => ({ params: await recorded(), body: { text: 'Kept.' } })],
  [
    'an SBOM',
    sendSbom,
    () => ({ params: { family: familyId }, raw: sampleSbom({ components: 1, serial: 1 }) }),
  ],
]

/** A determination of the editor, which waits. */
async function recorded() {
  const editor = await scene.signIn('editor')
  const opening = { kind: 'severe_incident' as const, title: 'Stolen key', families: [] }
  const { id: incident } = await editor.call(openIncident, { body: opening })
  const reasoning = 'What was looked at, and what it showed.'
  const { id } = await editor.call(recordDetermination, {
    params: { incident },
    body: { value: 'not_severe', reasoning },
  })
  return { incident, determination: id }
}

it.each(acts)('%s of an admin who is being removed', async (_name, known, make) => {
  const admin = await scene.signIn('admin')
  const made = (await make()) as { params: Record<string, string> }
  const person = await scene.idOf('admin')
  const removal = () => owner.call(removeMember, { params: { person }, body: {} })
  expect(await meanwhile(removal, () => admin.ask(known, made))).toBe(403)
})

it.each(acts)('%s of an admin who becomes a viewer', async (_name, known, make) => {
  const admin = await scene.signIn('admin')
  const made = (await make()) as { params: Record<string, string> }
  const person = await scene.idOf('admin')
  const change = () => owner.call(changeRole, { params: { person }, body: { role: 'viewer' } })
  expect(await meanwhile(change, () => admin.ask(known, made))).toBe(403)
})

it('the own role of before, of an admin who becomes a viewer', async () => {
  const admin = await scene.signIn('admin')
  const person = await scene.idOf('admin')
  const change = () => owner.call(changeRole, { params: { person }, body: { role: 'viewer' } })
  const again = () => admin.ask(changeRole, { params: { person }, body: { role: 'admin' } })
  expect(await meanwhile(change, again)).toBe(403)
})

it('an issuer of an owner who becomes an admin', async () => {
  await setRole('admin', 'owner')
  const other = await scene.signIn('admin')
  const person = await scene.idOf('admin')
  const change = () => owner.call(changeRole, { params: { person }, body: { role: 'admin', password } })
  const body = { issuer: 'https://id.elsewhere.example', clientId: 'kept', clientSecret: null }
  expect(await meanwhile(change, () => other.ask(setIssuer, { body }))).toBe(403)
})

it('another address, asked for in a session that is being ended', async () => {
  const [legitimate, stolen] = [await scene.signIn('lead'), await scene.signIn('lead')]
  const body = { email: 'lead@elsewhere.example', password }
  const asked = () => stolen.ask(requestEmailChange, { body })
  expect(await meanwhile(() => legitimate.call(signOutEverywhere), asked)).toBe(401)
})

it('another password, chosen in a session that is being ended', async () => {
  const [legitimate, stolen] = [await scene.signIn('lead'), await scene.signIn('lead')]
  const body = { currentPassword: password, newPassword: `${password} of somebody else` }
  const asked = () => stolen.ask(changePassword, { body })
  expect(await meanwhile(() => legitimate.call(signOutEverywhere), asked)).toBe(401)
})

it('an authenticator app, added in a session that is being ended', async () => {
  const [legitimate, stolen] = [await scene.signIn('lead'), await scene.signIn('lead')]
  const { secret } = await stolen.call(beginApp)
  const body = { code: codeOf(secret, scene.now) }
  const asked = () => stolen.ask(confirmApp, { body })
  expect(await meanwhile(() => legitimate.call(signOutEverywhere), asked)).toBe(401)
})

it('an act that begins while a removal waits for another one', async () => {
  const admin = await scene.signIn('admin')
  const person = await scene.idOf('admin')
  const [before, behind] = [await recorded(), await recorded()]
  const comment = (params: { incident: string }) => admin.ask(addComment, { params, body: { text: 'Kept.' } })
  const holders = [await scene.database.pool.connect(), await scene.database.pool.connect()] as const
  const held = async (holder: (typeof holders)[number], id: string) =>
    holder.query(`begin; select from incident where id = '${id}' for update`)
  try {
    await held(holders[0], before.incident)
    await held(holders[1], behind.incident)
    const first = comment(before)
    await untilWaiting(scene.database)
    const removal = owner.ask(removeMember, { params: { person }, body: {} })
    await untilWaiting(scene.database, 2)
    const second = comment(behind)
    await untilWaiting(scene.database, 3)
    await holders[0].query('rollback')
    // the second is still held up
    expect([(await first).status, (await removal).status]).toEqual([204, 204])
    await holders[1].query('rollback')
    expect((await second).status).toBe(403)
  } finally {
    for (const holder of holders) {
      await holder.query('rollback')
      holder.release()
    }
  }
})
