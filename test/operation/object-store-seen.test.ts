import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueOperatorLink } from '../../src/workspace/operator/operator-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { baseUrl, call, startTestHttp, testKeys, type TestHttp } from '../support/http.ts'
import { S3Server } from '../support/s3-server.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene } from '../support/scene.ts'
import { OperatorBrowser } from './operator-browser.ts'

let database: TestDatabase
let bucket: S3Server
let http: TestHttp
let operator: OperatorBrowser
beforeAll(async () => {
  database = await createTestDatabase()
  bucket = await S3Server.start()
  http = await startTestHttp({ database, now: () => testNow, objectStore: bucket.settings(testKeys) })
  operator = new OperatorBrowser(http.url, baseUrl)
  const { secret } = await issueOperatorLink(database.db, testNow)
  await operator.post(`/operator/enter/${secret}`)
})
afterAll(async () => {
  await http.stop()
  await bucket.stop()
  await database.drop()
})

/** The words of the overview, without markup. */
async function overview(): Promise<string> {
  const { text } = await operator.get('/operator')
  return text.replaceAll(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ')
}

it('the overview says where originals are, what waits, and whether the object store answers', async () => {
  const [acme] = await createScene(database.db)
  const send = (serial: number) =>
    call(`${http.url}/api/v1/sboms`, {
      method: 'POST',
      token: acme.families[0]?.upload ?? '',
      body: sampleSbom({ components: 3, serial }),
    })
  expect(await send(1)).toMatchObject({ status: 202 })
  await database.pool.query(
    `insert into original_object (id, workspace_id, sha256, sealed_sha256, sealed_bytes, key_id, state, erase_from, bucket)
     select gen_random_uuid(), workspace_id, sha256, sealed_sha256, sealed_bytes, key_id, 'erasing', now(), 'another' from original_object`,
  )
  const well = await overview()
  expect(well).toContain('Object store Answers It answered when this page was made.')
  expect(well).toContain(`Place 127.0.0.1:${bucket.port}/originals/pre/fix`)
  expect(well).toContain('Originals there 1 ')
  expect(well).toContain('To be erased 1, 1 of them in another bucket')
  expect(well).not.toContain('The object store fails')

  bucket.fate = () => 503
  expect(await send(2)).toMatchObject({ status: 500 })
  const away = await overview()
  expect(away).toMatch(/The object store fails : the object store answered 503 InternalError to GET /)
  expect(away).toMatch(
    /Object store Fails It first failed just now .*: the object store answered 503 InternalError to GET /,
  )

  bucket.fate = () => undefined
  const again = await overview()
  expect(again).toContain('Object store Answers')
  expect(again).toMatch(/Last error of this process, .*: the object store answered 503 InternalError to GET /)
})

it('says nothing of one where there is none', async () => {
  const plain = await startTestHttp({ database, now: () => testNow })
  const browser = new OperatorBrowser(plain.url, baseUrl)
  const { secret } = await issueOperatorLink(database.db, testNow)
  await browser.post(`/operator/enter/${secret}`)
  expect((await browser.get('/operator')).text).not.toContain('Object store')
  await plain.stop()
})
