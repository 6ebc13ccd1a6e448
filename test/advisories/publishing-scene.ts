import { publishAdvisory } from '../../src/contract/advisories/operations.ts'
import type { AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import { createAdvisoryScene, sampleContent, Writer, type AdvisoryScene } from '../support/advisory-scene.ts'
import type { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { endBoth, startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { createScene } from '../support/scene.ts'

/** A workspace with products, and whoever writes its advisories. */
export type PublishingScene = AdvisoryScene & {
  database: TestDatabase
  http: TestHttp
  writer: Writer
  /** The sample, changed. */
  content: (change?: Partial<AdvisoryContent>) => AdvisoryContent
  close: () => Promise<void>
}

export async function openPublishingScene(now: () => Date): Promise<PublishingScene> {
  const database = await createTestDatabase()
  const http = await startTestHttp({ database, now })
  const [acme] = await createScene(database.db)
  const scene = await createAdvisoryScene(database, http, acme)
  return {
    ...scene,
    database,
    http,
    writer: new Writer(scene),
    content: (change = {}) => ({ ...sampleContent(scene.products), ...change }),
    close: () => endBoth(http, database),
  }
}

/** Publishes the first revision of a draft, or another one; answers a refusal, too. */
export function publish(session: AppSession, id: string, body: object): Promise<Answer> {
  return session.ask(publishAdvisory, {
    params: { advisory: id },
    body: { revision: 1, summary: 'First.', ...body },
  })
}
