import { expect } from 'vitest'
import {
  addDomain,
  beginCompanySignIn,
  completeCompanySignIn,
  getSignInSettings,
  setIssuer,
  verifyDomain,
} from '../../src/contract/people/operations/sign-in.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import type { Sealing } from '../../src/platform/sealing/sealing.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestHttp, testSealing } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { startIssuer } from './stand-in-issuer.ts'

/** A browser that was at the issuer, and the address it was sent back to. */
type Gone = { session: AppSession; address: string }

export type CompaniesScene = Awaited<ReturnType<typeof openCompaniesScene>>

/** Two workspaces, each with an issuer of its own that can answer as it likes; their settings are made by the tests. */
export async function openCompaniesScene() {
  const store = await createTestDatabase()
  const issuer = await startIssuer('id.acme.example')
  issuer.set({}, testNow)
  const hostile = await startIssuer('id.umbrella.example')
  const state = {
    now: testNow,
    /** TXT records by name. */
    records: {} as Record<string, string[]>,
    /** The operator's current keys. */
    keys: testSealing,
  }
  const outbound = createOutbound({
    dnsServer: null,
    resolve: () => Promise.resolve(['127.0.0.1']),
    resolveText: (name) => Promise.resolve(state.records[name] ?? []),
    dialMap: null,
    allowedOrigins: { issuers: [issuer.issuer, hostile.issuer] },
  })
  const sealing: Sealing = {
    state: (db) => state.keys.state(db),
    lock: (tx) => state.keys.lock(tx),
    seal: (place, content) => state.keys.seal(place, content),
    open: (place, envelope) => state.keys.open(place, envelope),
    openBytes: (place, envelope) => state.keys.openBytes(place, envelope),
    get ring() {
      return state.keys.ring
    },
  }
  const http = await startTestHttp({ database: store, now: () => state.now, outbound, sealing })
  const [acme, umbrella] = await createScene(store.db)

  const stranger = () => new AppSession(http.url)
  const ownerOf = (workspace: TestWorkspace) => AppSession.signIn(http.url, workspace.members.owner)

  /** Where the service redirects a browser for a workspace's sign-in. */
  async function leave(session: AppSession, workspace: string): Promise<string> {
    const answer = await session.call(beginCompanySignIn, { body: { workspace } })
    return answer.url
  }

  async function begin(session = stranger()): Promise<Gone> {
    return { session, address: issuer.visit(await leave(session, 'acme')) }
  }

  /** As the page at that address does. */
  function comeBack({ session, address }: Gone) {
    const { pathname, search } = new URL(address)
    const workspaceId = pathname.split('/').at(-1) ?? ''
    return session.ask(completeCompanySignIn, { body: { workspaceId, query: search.slice(1) } })
  }

  return {
    state,
    store,
    issuer,
    /** Run by the owners of another workspace. */
    hostile,
    acme,
    umbrella,
    url: http.url,
    stranger,
    ownerOf,
    leave,
    begin,
    comeBack,

    comeBackIn: async (session: AppSession): Promise<AppSession> => {
      expect((await comeBack(await begin(session))).status).toBe(200)
      return session
    },

    /** Acme's issuer and its domain. */
    setUp: async ({ verified = true }: { verified?: boolean } = {}): Promise<AppSession> => {
      const owner = await ownerOf(acme)
      const form = { issuer: issuer.issuer, clientId: 'monitor', clientSecret: 'a secret of the client' }
      await owner.call(setIssuer, { body: form })
      await owner.call(addDomain, { body: { domain: 'Acme.example' } })
      if (!verified) return owner
      const { domains } = await owner.call(getSignInSettings)
      const record = domains[0]?.record ?? { name: '', value: '' }
      state.records = { [record.name]: ['v=spf1 -all', record.value] }
      await owner.call(verifyDomain, { body: { domain: 'acme.example' } })
      return owner
    },

    reset: async () => {
      Object.assign(state, { now: testNow, records: {}, keys: testSealing })
      issuer.set({}, testNow)
      const { db } = store
      await db.deleteFrom('session').execute()
      for (const table of ['sign_in_window', 'company_link', 'company_sign_in', 'workspace_domain'] as const)
        await db.deleteFrom(table).execute()
      await db.updateTable('workspace').set({ requires_single_sign_on: false }).execute()
    },

    close: async () => {
      await issuer.stop()
      await hostile.stop()
      await http.stop()
      await store.drop()
    },
  }
}
