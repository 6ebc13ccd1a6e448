import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginCompanySignIn, setIssuer } from '../../src/contract/people/operations/sign-in.ts'
import { getSession } from '../../src/contract/people/operations/session.ts'
import { later, testNow } from '../support/clock.ts'
import { portOf } from '../support/port-of.ts'
import { openCompaniesScene, type CompaniesScene } from './companies-scene.ts'
import type { Twist } from './stand-in-issuer.ts'

let scene: CompaniesScene
beforeAll(async () => {
  scene = await openCompaniesScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.reset())

describe('a hostile answer is refused:', () => {
  let canary = 0
  const subjects = ['', ' ', 'x'.repeat(256), 7, 'olga\0', 'olga\ud800', 'olga\n']
  const twists: [string, () => Twist | Promise<Twist>][] = [
    ...subjects.map((sub): [string, () => Twist] => [`the subject "${sub}"`, () => ({ claims: { sub } })]),
    ['another nonce', () => ({ claims: { nonce: 'x' } })],
    ['another audience', () => ({ claims: { aud: 'somebody' } })],
    ['another issuer in the token', () => ({ claims: { iss: 'https://evil.example' } })],
    ['another issuer in the discovery document', () => ({ discovery: { issuer: 'https://evil.example' } })],
    ['an ended token', () => ({ claims: { exp: Math.floor(testNow.getTime() / 1000) - 600 } })],
    ['no signature', () => ({ algorithm: 'none' })],
    ['a signature of a shared secret', () => ({ algorithm: 'HS256' })],
    ['a signature of another key', () => ({ algorithm: 'other_key' })],
    ['a huge body', () => ({ instead: { '/token': (answer) => answer.end('x'.repeat(2_000_000)) } })],
    ['no JSON', () => ({ instead: { '/token': (answer) => answer.end('<html>') } })],
    [
      'a redirect to a private address',
      async () => {
        const server = createServer((_request, answer) => {
          canary += 1
          answer.end('{}')
        }).listen(0, '127.0.0.1')
        await once(server, 'listening')
        const to = `http://127.0.0.1:${portOf(server)}/`
        server.unref()
        return { instead: { '/token': (answer) => answer.writeHead(302, { location: to }).end() } }
      },
    ],
    ['keys at a private address', () => ({ discovery: { jwks_uri: 'https://127.0.0.1/keys' } })],
  ]
  it.each(twists)('%s', async (_case, twist) => {
    await scene.setUp()
    const gone = await scene.begin()
    scene.issuer.set(await twist(), scene.state.now)
    expect(await scene.comeBack(gone)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(canary).toBe(0)
    expect((await gone.session.refused(getSession)).status).toBe(401)
  })

  it.each([
    ['an address with a NUL', { email: 'owner\0@acme.example' }],
    ['an address that ends with a NUL', { email: 'owner@acme.example\0' }],
    ['an address of half a character', { email: 'owner\ud800@acme.example' }],
    ['an address that it does not vouch for', { email_verified: 'no' }],
    ['the same, as a number', { email_verified: 0 }],
  ])('%s links no account', async (_case, claims) => {
    await scene.setUp()
    scene.issuer.set({ claims }, scene.state.now)
    expect(await scene.comeBack(await scene.begin())).toMatchObject({ status: 401 })
  })

  it('a time of signing in that no calendar has proves nothing', async () => {
    await scene.setUp()
    await scene.store.db.deleteFrom('session').execute()
    scene.issuer.set({ claims: { auth_time: Number.MAX_SAFE_INTEGER } }, scene.state.now)
    expect(await scene.comeBack(await scene.begin())).toMatchObject({ status: 200 })
    const sessions = await scene.store.db.selectFrom('session').select('confirmed_at').execute()
    expect(sessions).toEqual([{ confirmed_at: null }])
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not an address'])('a page at %s', async (page) => {
    await scene.setUp()
    scene.issuer.set({ discovery: { authorization_endpoint: page } }, scene.state.now)
    expect((await scene.stranger().refused(beginCompanySignIn, { body: { workspace: 'acme' } })).status).toBe(
      409,
    )
  })

  it('another state, another browser, and one that comes too late', async () => {
    await scene.setUp()
    const gone = await scene.begin()
    const forged = `${gone.address.split('&')[0] ?? ''}&state=x`
    expect((await scene.comeBack({ ...gone, address: forged })).status).toBe(409)
    const other = await scene.begin()
    expect((await scene.comeBack({ ...other, session: scene.stranger() })).status).toBe(401)
    const late = await scene.begin()
    scene.state.now = later(11)
    expect((await scene.comeBack(late)).status).toBe(401)
  })

  it('one that the issuer of another workspace has led the browser to (RFC 9700 §4.4)', async () => {
    await scene.setUp()
    const form = { issuer: scene.hostile.issuer, clientId: 'monitor', clientSecret: null }
    await (await scene.ownerOf(scene.umbrella)).call(setIssuer, { params: { slug: 'umbrella' }, body: form })
    const begunByAttacker = new URL(await scene.leave(scene.stranger(), 'acme'))
    const victim = scene.stranger()
    const askedOfHostile = new URL(await scene.leave(victim, 'umbrella'))
    // the hostile issuer redirects the browser to acme's issuer, with its own parameters and the victim's state
    begunByAttacker.searchParams.set('state', askedOfHostile.searchParams.get('state') ?? '')
    const address = scene.issuer.visit(begunByAttacker.href)
    expect((await scene.comeBack({ session: victim, address })).status).toBe(401)
    // it would have learnt the code there
    expect(scene.hostile.asked).not.toContain('/token')
  })

  it('an issuer inside the network', async () => {
    const owner = await scene.ownerOf(scene.acme)
    const form = { issuer: 'https://127.0.0.1', clientId: 'monitor', clientSecret: null }
    await owner.call(setIssuer, { body: form })
    const refused = await scene.stranger().refused(beginCompanySignIn, {
      body: { workspace: 'acme' },
    })
    expect(refused).toMatchObject({ status: 409 })
  })
})
