import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueOperatorLink } from '../../src/workspace/operator/operator-session.ts'
import { newId } from '../../src/platform/random.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { OperatorBrowser } from './operator-browser.ts'

let database: TestDatabase
let http: TestHttp
beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
})
afterAll(() => endBoth(http, database))

const minutesAgo = (minutes: number) => new Date(testNow.getTime() - minutes * 60_000)

/** A message that the mail server did not take. */
async function waiting(minutes: number): Promise<void> {
  await database.pool.query(
    `insert into mail (id, event_id, kind, fact, is_named, recipient, recipient_name, state, created_at, due_at, reason)
     values ($1, $2, 'test', '{}', false, 'a@b.example', 'A', 'waiting', $3, $4, 'the mail server did not answer in time')`,
    [newId(testNow), newId(testNow), minutesAgo(minutes), minutesAgo(-30)],
  )
}

it('the overview says when mail has not left for a while, long before it has failed', async () => {
  const operator = new OperatorBrowser(http.url, baseUrl)
  const { secret } = await issueOperatorLink(database.db, testNow)
  await operator.post(`/operator/enter/${secret}`)
  const said = /1\u00a0message<\/a>\s+could not be delivered\s+for\s+15 minutes or longer/
  await waiting(14)
  expect((await operator.get('/operator')).text).not.toMatch(said)
  await waiting(16)
  expect((await operator.get('/operator')).text).toMatch(said)
  expect((await operator.get('/operator/mail?state=waiting')).text).toContain('did not answer in time')
})
