import { afterAll, beforeAll, expect, it } from 'vitest'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { findCompanies } from '../../src/contract/people/operations/sign-in.ts'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { addDomain, markVerified, setIssuer } from '../../src/people/company-sign-in/company-settings.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { runCommand } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp, testSealing } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'

const clientSecret = 'a secret of the client'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace

beforeAll(async () => {
  store = await createTestDatabase()
  ;[acme, umbrella] = await createScene(store.db)
  http = await startTestHttp({ database: store, now: () => testNow })
  for (const { id, slug, members } of [acme, umbrella]) {
    const actor = { kind: 'person', id: members.owner.id, name: 'owner' } as const
    const act = { workspaceId: id, actor, now: testNow }
    const issuer = { issuer: `https://id.${slug}.example`, clientId: 'monitor', clientSecret }
    await setIssuer(store.db, testSealing, { ...act, ...issuer })
    await addDomain(store.db, { ...act, domain: 'shared.example' })
    await markVerified(store.db, { ...act, domain: 'shared.example' })
  }
  await store.db.updateTable('workspace').set({ requires_single_sign_on: true }).execute()
  // these commands use the database's own key
  await store.db.deleteFrom('sealing_canary').execute()
})
afterAll(() => endBoth(http, store))

const key = newKeyText()
const cli = <T>(...args: string[]) =>
  runCommand<T>(
    { ...process.env, DATABASE_URL: store.url, BASE_URL: 'http://localhost:3000', ENCRYPTION_KEYS: key },
    ['company-sign-in', ...args],
  )
type Listed = { workspaces: { slug: string; issuer: string | null; domains: { domain: string }[] }[] }

async function reach({ members }: TestWorkspace): Promise<number> {
  return (await (await AppSession.signIn(http.url, members.viewer)).ask(getWorkspace)).status
}

async function offered(email: string): Promise<string[]> {
  const { workspaces } = await new AppSession(http.url).call(findCompanies, { body: { email } })
  return workspaces.map(({ slug }) => slug).sort()
}

async function changes(workspaceId: string) {
  const { rows } = await store.pool.query<{ actor_kind: string; actor_name: string; after: unknown }>(
    `select actor_kind, actor_name, after from audit_event
     where workspace_id = $1 and action = 'workspace.sign_in_changed' and actor_kind = 'system' order by id`,
    [workspaceId],
  )
  return rows
}

it('the operator sees which workspaces sign in with their company, and no secret', async () => {
  const listed = await cli<Listed>('list')
  expect(listed.workspaces).toEqual(
    ['acme', 'umbrella'].map((slug) => ({
      slug,
      issuer: `https://id.${slug}.example`,
      isRequired: true,
      linked: 0,
      domains: [{ domain: 'shared.example', verifiedAt: testNow.toISOString() }],
    })),
  )
  expect(JSON.stringify(listed)).not.toContain(clientSecret)
  expect((await cli<Listed>('list', 'acme')).workspaces).toHaveLength(1)
  await expect(cli('list', 'nobody')).rejects.toThrow('there is no workspace "nobody"')
})

it('removes a domain of one workspace: its addresses are not led there any more', async () => {
  expect(await offered('x@shared.example')).toEqual(['acme', 'umbrella'])
  const removed = await cli('remove-domain', 'acme', 'Shared.example')
  expect(removed).toEqual({ slug: 'acme', removed: 'shared.example' })
  expect(await offered('x@shared.example')).toEqual(['umbrella'])
  await expect(cli('remove-domain', 'acme', 'shared.example')).rejects.toThrow(
    '"acme" has no domain "shared.example"',
  )
  expect(await changes(acme.id)).toEqual([
    {
      actor_kind: 'system',
      actor_name: 'command line',
      after: { domain: 'shared.example', removed: true },
    },
  ])
})

it('lets the members of a workspace in again that its issuer keeps out, and of no other', async () => {
  expect([await reach(acme), await reach(umbrella)]).toEqual([403, 403])
  expect(await cli('off', 'acme')).toEqual({ slug: 'acme', issuer: null })
  expect([await reach(acme), await reach(umbrella)]).toEqual([200, 403])
  await expect(cli('off', 'acme')).rejects.toThrow('"acme" has no issuer')
  expect((await changes(acme.id)).at(-1)).toEqual({
    actor_kind: 'system',
    actor_name: 'command line',
    after: { issuer: null },
  })
  expect((await cli<Listed>('list')).workspaces.map(({ slug }) => slug)).toEqual(['umbrella'])
  expect(await changes(umbrella.id)).toEqual([])
})
