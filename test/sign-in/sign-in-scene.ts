import { afterAll, beforeAll, beforeEach } from 'vitest'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'

/** What people did to sign in, and what they sign in with besides their password. */
const tables = [
  'sign_in_window',
  'job',
  'sign_in_step',
  'authenticator',
  'recovery_code',
  'passkey',
  'passkey_challenge',
  'session',
] as const

/** A server with two workspaces, and a clock. Each test begins without sessions and second factors. */
export function openSignInScene() {
  let store: TestDatabase
  let http: TestHttp
  let acme: TestWorkspace
  let umbrella: TestWorkspace
  const scene = {
    now: testNow,
    get store(): TestDatabase {
      return store
    },
    get url(): string {
      return http.url
    },
    get acme(): TestWorkspace {
      return acme
    },
    get umbrella(): TestWorkspace {
      return umbrella
    },
  }
  beforeAll(async () => {
    store = await createTestDatabase()
    http = await startTestHttp({ database: store, now: () => scene.now })
    ;[acme, umbrella] = await createScene(store.db)
  })
  beforeEach(async () => {
    scene.now = testNow
    for (const table of tables) await store.db.deleteFrom(table).execute()
    await store.db.updateTable('workspace').set({ requires_second_factor: false }).execute()
  })
  afterAll(() => endBoth(http, store))
  return scene
}
