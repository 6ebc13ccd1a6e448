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
import { createTestDatabase } from '../support/database.ts'
import { startTestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'
import { startIssuer } from './stand-in-issuer.ts'

/** The workspace acme with its own issuer and verified domain, and a stopped clock. */
export async function openCompanyScene() {
  const store = await createTestDatabase()
  const issuer = await startIssuer('id.acme.example')
  issuer.set({}, testNow)
  let text = ''
  const outbound = createOutbound({
    dnsServer: null,
    resolve: () => Promise.resolve(['127.0.0.1']),
    resolveText: () => Promise.resolve([text]),
    dialMap: null,
    allowedOrigins: { issuers: [issuer.issuer] },
  })
  const http = await startTestHttp({ database: store, now: () => testNow, outbound })
  const [acme] = await createScene(store.db)
  const owner = await AppSession.signIn(http.url, acme.members.owner)
  const body = { issuer: issuer.issuer, clientId: 'monitor', clientSecret: 'a secret of the client' }
  await owner.call(setIssuer, { body })
  await owner.call(addDomain, { body: { domain: 'acme.example' } })
  text = (await owner.call(getSignInSettings)).domains[0]?.record.value ?? ''
  await owner.call(verifyDomain, { body: { domain: 'acme.example' } })
  return {
    issuer,
    /** The status of a complete sign-in; `meanwhile` runs while the browser is at the issuer. */
    signIn: async (meanwhile: () => void = () => undefined): Promise<number> => {
      const session = new AppSession(http.url)
      const { url } = await session.call(beginCompanySignIn, { body: { workspace: 'acme' } })
      const { pathname, search } = new URL(issuer.visit(url))
      meanwhile()
      const back = { workspaceId: pathname.split('/').at(-1) ?? '', query: search.slice(1) }
      return (await session.ask(completeCompanySignIn, { body: back })).status
    },
    close: async () => {
      await issuer.stop()
      await http.stop()
      await store.drop()
    },
  }
}
