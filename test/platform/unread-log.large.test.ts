import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { untilWebIsBuilt } from '../support/built-web.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { feedsOff } from '../support/feeds.ts'
import { freePort } from '../support/free-port.ts'
import { asNpmRun } from '../support/service.ts'
import { checkoutDir } from '../support/test-server.ts'
import { withPooler } from '../support/told-of-pooler.ts'

/** A process whose log goes into a pipe that nobody reads, as when a collector of logs hangs. */

let database: TestDatabase
let folder: string
let pipes = 0
beforeAll(async () => {
  await untilWebIsBuilt()
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'unread-log-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  pipes += 1
})

const environment = (port: string) =>
  withPooler({
    ...asNpmRun,
    ...process.env,
    ...feedsOff,
    DATABASE_URL: database.url,
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
  })

/** Starts the role with its log in the pipe, and fills that with lines of requests. */
async function startUnread() {
  const pipe = join(folder, `log-${pipes}`)
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(pipe, 'w')
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [join(checkoutDir, 'src/main.ts'), 'serve'], {
    env: environment(port),
    stdio: ['ignore', writer, 'ignore'],
  })
  closeSync(writer)
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) await sleep(50)
  // a pipe holds 64 KB; a line is longer than 128 bytes
  for (let turn = 0; turn < 30; turn += 1)
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/healthz`).then(({ ok }) => ok)))
  return { child, url, pipe, reader }
}

it('answers all the same, and ends within ten seconds when it is told to', async () => {
  const { child, url, reader } = await startUnread()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const ended = once(child, 'exit')
  const toldAt = performance.now()
  child.kill('SIGTERM')
  await ended
  expect(performance.now() - toldAt).toBeLessThan(10_000)
  closeSync(reader)
})

it.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s: writes its last lines and ends with 0 when its reader goes on',
  async (signal) => {
    const { child, pipe, reader } = await startUnread()
    const ended = once(child, 'exit')
    child.kill(signal)
    const reading = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [read] = await Promise.all([text(reading.stdout), ended])
    expect(read).toContain('"msg":"stopped"')
    expect(child.exitCode).toBe(0)
    closeSync(reader)
  },
)

const full = '/dev/full'
it.runIf(existsSync(full))('says why, and finishes, when its log finds no room', async () => {
  const port = String(await freePort())
  const log = openSync(full, 'w')
  const child = spawn(process.execPath, [join(checkoutDir, 'src/main.ts'), 'serve'], {
    env: environment(port),
    stdio: ['ignore', log, 'pipe'],
  })
  closeSync(log)
  if (child.stderr === null) throw new Error('its messages are not piped')
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(said).toMatch(
    /^The log cannot be written \(ENOSPC.*\), and the service does nothing without one, so it stops\. .*\n$/,
  )
  expect(child.exitCode).toBe(2)
})
