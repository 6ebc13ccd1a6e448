import { createAdvisoryScene, Writer } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'

export type FeedScene = Awaited<ReturnType<typeof openFeedScene>>

/** Headers of every file that is served. */
export const sharedHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300, stale-while-revalidate=60',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
}

/** The feed of acme, who writes advisories, beside another workspace; a clock that is moved. */
export async function openFeedScene() {
  let now = testNow
  const database = await createTestDatabase()
  const http = await startTestHttp({ database, now: () => now })
  const [acme, umbrella] = await createScene(database.db)
  const scene = await createAdvisoryScene(database, http, acme)
  return {
    database,
    scene,
    umbrella,
    writer: new Writer(scene),
    url: `${http.url}/csaf`,

    get now(): Date {
      return now
    },
    later: (ms: number) => (now = new Date(now.getTime() + ms)),

    get: (path: string, headers: Record<string, string> = {}) =>
      call(`${http.url}/csaf/acme/${path}`, { headers }),

    close: () => endBoth(http, database),
  }
}
