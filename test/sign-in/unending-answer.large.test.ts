import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addDomain,
  beginCompanySignIn,
  completeCompanySignIn,
  getSignInSettings,
  setIssuer,
  verifyDomain,
} from '../../src/contract/people/operations/sign-in.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { startIssuer } from './stand-in-issuer.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let issuer: Awaited<ReturnType<typeof startIssuer>>
/** TXT records by name. */
let records: Record<string, string[]> = {}

beforeAll(async () => {
  store = await createTestDatabase()
  issuer = await startIssuer('id.acme.example')
  const outbound = createOutbound({
    dnsServer: null,
    resolve: () => Promise.resolve(['127.0.0.1']),
    resolveText: (name) => Promise.resolve(records[name] ?? []),
    dialMap: null,
    allowedOrigins: { issuers: [issuer.issuer] },
  })
  http = await startTestHttp({ database: store, now: () => testNow, outbound })
  ;[acme] = await createScene(store.db)
  const owner = await AppSession.signIn(http.url, acme.members.owner)
  await owner.call(setIssuer, {
    body: { issuer: issuer.issuer, clientId: 'monitor', clientSecret: 'a secret of the client' },
  })
  await owner.call(addDomain, { body: { domain: 'acme.example' } })
  const { domains } = await owner.call(getSignInSettings)
  const { name = '', value = '' } = domains[0]?.record ?? {}
  records = { [name]: [value] }
  await owner.call(verifyDomain, { body: { domain: 'acme.example' } })
})
afterAll(async () => {
  await issuer.stop()
  await http.stop()
  await store.drop()
})

/** Goes to the company and comes back from there. Answers the status. */
async function comeBack(): Promise<number> {
  const session = new AppSession(http.url)
  const { url } = await session.call(beginCompanySignIn, { body: { workspace: 'acme' } })
  const { pathname, search } = new URL(issuer.visit(url))
  const body = { workspaceId: pathname.split('/').at(-1) ?? '', query: search.slice(1) }
  return (await session.ask(completeCompanySignIn, { body })).status
}

// Ten seconds, which is why it is not beside the others in company.test.ts.
describe('a hostile answer is refused:', () => {
  it('one that never ends is given up', { timeout: 60_000 }, async () => {
    issuer.set({}, testNow)
    expect(await comeBack()).toBe(200)
    issuer.set({ instead: { '/token': (answer) => void answer.writeHead(200).write('{') } }, testNow)
    expect(await comeBack()).toBe(409)
  })
})
