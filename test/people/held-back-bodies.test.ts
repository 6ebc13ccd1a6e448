import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createFamily } from '../../src/contract/products/operations.ts'
import { invite } from '../../src/contract/people/operations/members.ts'
import { changeProfile } from '../../src/contract/people/operations/profile.ts'
import { sendSbom } from '../../src/contract/sbom/upload-operations.ts'
import type { AppOperation } from '../../src/contract/operation.ts'
import type { Role } from '../../src/contract/roles.ts'
import { issueOperatorLink } from '../../src/workspace/operator/operator-session.ts'
import { OperatorBrowser, formTokenIn } from '../operation/operator-browser.ts'
import { baseUrl } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { openPeopleScene, type PeopleScene } from './people-scene.ts'
import { answerTo } from '../support/once-over.ts'

/** A person allowed at the start of a request, but not at the end of its body, is refused: the body may take a minute. */

let scene: PeopleScene
let familyId: string

beforeAll(async () => {
  scene = await openPeopleScene()
  familyId = await scene.familyIdOf('acme')
})
afterAll(() => scene.close())
beforeEach(async () => {
  const { db } = scene.database
  await db.updateTable('member').set({ removed_at: null }).execute()
  await db.updateTable('workspace').set({ plan: 'core', closed_at: null }).execute()
})

type Sent = { path: string; headers: Record<string, string>; body: string; method?: string }

/** Sends all but the last byte, which waits until the sender has been authorised. */
async function holdBack({ path, headers, body, method = 'POST' }: Sent) {
  const request = httpRequest(scene.http.url + path, {
    method,
    headers: { 'content-length': Buffer.byteLength(body), ...headers },
  })
  const answered = answerTo(request)
  request.write(body.slice(0, -1))
  await vi.waitUntil(async () => /^sbom_monitor_request_bodies 1$/m.test(await scene.http.metrics()), {
    timeout: 20_000,
  })
  return async () => {
    request.end(body.slice(-1))
    const response = await answered
    return { status: response.statusCode, body: await text(response) }
  }
}

async function heldBack(known: AppOperation, role: Role, body: string) {
  const session = await scene.signIn(role)
  const path = known.path.replace(':slug', 'acme').replace(':family', familyId)
  return holdBack({ path, headers: session.cookies, body, method: known.method })
}

const roleOf = async (role: Role, change: { role: Role } | { removed_at: Date }) => {
  const id = await scene.idOf(role)
  await scene.database.db.updateTable('member').set(change).where('person_id', '=', id).execute()
}

const rows = async (table: 'invitation' | 'family' | 'sbom') =>
  (await scene.database.db.selectFrom(table).select('id').execute()).length

it('of a member who was removed meanwhile is not found', async () => {
  const finish = await heldBack(invite, 'admin', '{"email":"friend@elsewhere.example","role":"admin"}')
  await roleOf('admin', { removed_at: scene.now })
  expect((await finish()).status).toBe(404)
  expect(await rows('invitation')).toBe(0)
})

it('of a member whose role no longer allows it is forbidden', async () => {
  const before = await rows('family')
  const finish = await heldBack(createFamily, 'lead', '{"name":"Late"}')
  await roleOf('lead', { role: 'viewer' })
  expect((await finish()).status).toBe(403)
  expect(await rows('family')).toBe(before)
})

it('of a file is forbidden, too', async () => {
  const finish = await heldBack(sendSbom, 'editor', sampleSbom({ components: 1, serial: 7 }).toString())
  await roleOf('editor', { role: 'viewer' })
  expect((await finish()).status).toBe(403)
  expect(await rows('sbom')).toBe(0)
})

it('of a session that has ended changes nothing', async () => {
  const finish = await heldBack(changeProfile, 'viewer', '{"name":"Somebody else"}')
  const id = await scene.idOf('viewer')
  await scene.database.db.deleteFrom('session').where('person_id', '=', id).execute()
  expect((await finish()).status).toBe(401)
})

it('in a workspace that became read-only is refused', async () => {
  const finish = await heldBack(createFamily, 'owner', '{"name":"After the end"}')
  await scene.database.db.updateTable('workspace').set({ plan: 'free' }).execute()
  expect((await finish()).status).toBe(402)
})

it('of an operator who has signed out is not found', async () => {
  const operator = new OperatorBrowser(scene.http.url, baseUrl)
  const { secret } = await issueOperatorLink(scene.database.db, scene.now)
  await operator.post(`/operator/enter/${secret}`)
  const form = formTokenIn((await operator.get('/operator/workspaces/acme')).text)
  const headers = {
    cookie: operator.cookie,
    origin: baseUrl,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const finish = await holdBack({
    path: '/operator/workspaces/acme/suspend',
    headers,
    body: `form=${form}&slug=acme&reason=Unpaid`,
  })
  await operator.post('/operator/sign-out', {}, { from: '/operator' })
  expect((await finish()).status).toBe(404)
})
