import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdvisoryScene, fullContent, sampleContent, Writer } from '../support/advisory-scene.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { fetchBehind, startHttpsFront, type HttpsFront } from '../support/https-front.ts'
import { createScene } from '../support/scene.ts'

const run = promisify(execFile)
/** csaf_checker of github.com/gocsaf/csaf; the variable overrides the PATH. */
const program = process.env['CSAF_CHECKER'] ?? 'csaf_checker'
const isThere = await run(program, ['--version']).then(
  () => true,
  () => false,
)
if (!isThere) console.warn('csaf_checker is not installed: what it says of the feed is not tested')

type Message = { type: number; text: string }
type Requirement = { num: number; description: string; messages: Message[] }
type Report = { domains: { passed: boolean; requirements: Requirement[] }[] }

/** Type of a message: 0 information, 1 warning, 2 error. */
const isError = ({ type }: Message) => type === 2

/** Signatures, required only of a trusted provider (CSAF 2.0, 7.2.3); the feed has none and says so. */
const signatures = 19

describe.skipIf(!isThere)('the checker of the reference implementation', () => {
  let database: TestDatabase
  let http: TestHttp
  let front: HttpsFront
  let folder = ''

  beforeAll(async () => {
    database = await createTestDatabase()
    // the company serves the workspace's security.txt at its own address
    front = await startHttpsFront((path) =>
      fetchBehind(
        http.url + (path === '/.well-known/security.txt' ? '/disclose/acme/.well-known/security.txt' : path),
      ),
    )
    let now = testNow
    http = await startTestHttp({ database, now: () => now, publicUrl: front.origin })
    folder = await mkdtemp(join(tmpdir(), 'csaf-checker-'))
    await writeFile(join(folder, 'certificate.pem'), front.certificate)
    const [acme] = await createScene(database.db)
    const scene = await createAdvisoryScene(database, http, acme)
    const writer = new Writer(scene)
    for (const title of ['One', 'Two', 'Three']) {
      await writer.release(sampleContent(scene.products, title))
      now = new Date(now.getTime() + 60_000)
    }
    // with a score, a range and an identification helper
    await writer.release(fullContent(scene.products))
  }, 240_000)
  afterAll(async () => {
    front.stop()
    await http.stop()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  test('passes the feed as a CSAF publisher, without an error', { timeout: 120_000 }, async () => {
    const domain = front.origin.replace('https://', '')
    const { stdout } = await run(program, [domain], {
      env: { ...process.env, SSL_CERT_FILE: join(folder, 'certificate.pem') },
    })
    const [report] = (JSON.parse(stdout) as Report).domains
    const failed = report?.requirements.filter(({ messages }) => messages.some(isError))
    expect(failed?.filter(({ num }) => num !== signatures)).toEqual([])
    // the requirements it must report on; found through security.txt
    expect(report?.requirements.map(({ num }) => num)).toEqual([1, 2, 3, 4, 18, signatures, 20])
    expect(report?.passed).toBe(true)
  })
})
