import { AppSession } from './app-session.ts'
import { testNow } from './clock.ts'
import { createTestDatabase } from './database.ts'
import { startTestHttp, type HttpOptions } from './http.ts'
import { createScene, type SceneOptions } from './scene.ts'

/** The service with the workspaces of `createScene`, and the owner of the first one signed in; `endBoth` ends it. */
export type AppScene = Awaited<ReturnType<typeof openAppScene>>

export async function openAppScene({ families, ...options }: Partial<HttpOptions> & SceneOptions = {}) {
  const store = await createTestDatabase()
  const http = await startTestHttp({ database: store, now: () => testNow, ...options })
  const [acme, umbrella] = await createScene(store.db, families === undefined ? {} : { families })
  return { store, http, acme, umbrella, owner: await AppSession.signIn(http.url, acme.members.owner) }
}
