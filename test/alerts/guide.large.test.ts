import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startReceiverLab } from '../support/receivers.ts'
import { keptFolder } from '../support/run-folder.ts'
import { checkoutDir } from '../support/test-server.ts'
import { facts, openAlertScene, storedSecret } from './alert-scene.ts'
import { whyRefused } from './verifier.ts'

const guide = readFileSync(join(checkoutDir, 'docs/alerts.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'guide-'))
let database: TestDatabase
let real: Delivered

/** A request, its receiver's secret, and the receiver's time in seconds. */
type Delivered = { body: string; signature: string; secret: string; now: number }

beforeAll(async () => {
  database = await createTestDatabase()
  const scene = await openAlertScene(database.db)
  const lab = await startReceiverLab()
  const receiver = await lab.receive('guide.test')
  await scene.store(scene.acme.id, { url: receiver.url })
  // non-ASCII letters, so that bytes and characters differ
  const fact = structuredClone(facts['incident.opened'])
  fact.data.incident.title = 'Pumpe Ø – 泵 😀'
  await scene.tell(scene.acme.id, fact)
  await scene.send(lab.outbound())
  const [request] = receiver.requests
  const signature = String(request?.headers['service-signature'])
  const now = Number(/t=(\d+)/.exec(signature)?.[1])
  real = { body: request?.body ?? '', signature, secret: storedSecret, now }
  lab.close()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

function block(language: string): string {
  const [, code] = new RegExp('```' + language + '\\n([\\s\\S]*?)```').exec(guide) ?? []
  if (code === undefined) throw new Error(`the guide has no code in ${language}`)
  return code
}

function has(command: string, argument = '--version'): boolean {
  return spawnSync(command, [argument]).status === 0
}

function exitOf(
  command: string,
  args: string[],
  { body, signature, secret, now }: Delivered,
  dir = folder,
): number | null {
  const file = join(folder, 'body')
  writeFileSync(file, body)
  const env = {
    ...process.env,
    BODY: file,
    SIGNATURE: signature,
    SECRET: secret,
    NOW: String(now),
    GOFLAGS: '-mod=mod',
    GOCACHE: join(folder, 'cache'),
  }
  const { status, stderr, error } = spawnSync(command, args, { cwd: dir, env, encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0 && status !== 1)
    throw new Error(`${command} ended with ${status ?? 'a signal'}: ${stderr}`)
  return status
}

const run: Record<string, (delivered: Delivered) => number | null> = {
  ts: (delivered) => {
    const main = `\nimport { readFileSync } from 'node:fs'\nconst { BODY, SIGNATURE, SECRET, NOW } = process.env\nprocess.on('uncaughtException', () => process.exit(2))\nprocess.exit(isGenuine(readFileSync(BODY), SIGNATURE, SECRET, Number(NOW) * 1000) ? 0 : 1)\n`
    writeFileSync(join(folder, 'receiver.mts'), block('ts') + main)
    return exitOf(process.execPath, ['receiver.mts'], delivered)
  },
  python: (delivered) => {
    const main = `\nimport os, sys\ne = os.environ\ntry:\n  sys.exit(0 if is_genuine(open(e["BODY"], "rb").read(), e["SIGNATURE"], e["SECRET"], float(e["NOW"])) else 1)\nexcept Exception:\n  sys.exit(2)\n`
    writeFileSync(join(folder, 'receiver.py'), block('python') + main)
    return exitOf('python3', ['receiver.py'], delivered)
  },
  go: (delivered) => {
    const main = `package main\n\nimport (\n\t"example.com/receiver/alerts"\n\t"os"\n\t"strconv"\n\t"time"\n)\n\nfunc main() {\n\tbody, _ := os.ReadFile(os.Getenv("BODY"))\n\tnow, _ := strconv.ParseInt(os.Getenv("NOW"), 10, 64)\n\tif !alerts.IsGenuine(body, os.Getenv("SIGNATURE"), os.Getenv("SECRET"), time.Unix(now, 0)) {\n\t\tos.Exit(1)\n\t}\n}\n`
    buildGo(main)
    return exitOf(join(folder, 'go/receiver'), [], delivered)
  },
  sh: (delivered) => {
    writeFileSync(join(folder, 'receiver.sh'), block('sh'))
    return exitOf('sh', ['receiver.sh'], delivered)
  },
}

let isGoBuilt = false
function buildGo(main: string): void {
  if (isGoBuilt) return
  const dir = join(folder, 'go')
  spawnSync('mkdir', ['-p', join(dir, 'alerts')])
  writeFileSync(join(dir, 'go.mod'), 'module example.com/receiver\n')
  writeFileSync(join(dir, 'main.go'), main)
  writeFileSync(join(dir, 'alerts/alerts.go'), block('go'))
  const env = {
    ...process.env,
    // Kept for the next run: compiling Go's standard packages takes ten seconds.
    GOCACHE: join(keptFolder(), `sbom-monitor-go-${userInfo().uid}`),
    GOTOOLCHAIN: 'local',
    GOFLAGS: '',
    HOME: folder,
  }
  const { status, stderr } = spawnSync('go', ['build', '-o', 'receiver', '.'], {
    cwd: dir,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  isGoBuilt = true
}

const isThere: Record<string, boolean> = {
  ts: true,
  python: has('python3'),
  go: has('go', 'version'),
  sh: has('openssl', 'version'),
}

const cell = (name: string) => new RegExp(`\\| ${name} +\\| \`([^\`]+)\``).exec(guide)?.[1] ?? ''

describe.each(Object.keys(run))('the code of the guide in %s', (language) => {
  test.skipIf(isThere[language] !== true)(
    `verifies a real delivery and refuses what was changed (needs the language)`,
    () => {
      const verify = run[language] ?? (() => null)
      expect(verify(real)).toBe(0)
      const other = real.signature.endsWith('0') ? '1' : '0'
      const changed: Partial<Delivered>[] = [
        { body: `${real.body} ` },
        { body: real.body.replace('Pumpe', 'Pumpf') },
        { signature: real.signature.replace(/t=(\d+)/, (_, t: string) => `t=${Number(t) - 1}`) },
        { signature: real.signature.slice(0, -1) + other },
        { signature: real.signature.slice(0, 40) },
        { signature: '' },
        // anybody may send this: the receiver must refuse it without crashing
        { signature: real.signature.replace(/t=\d+/, 't=\u00b2') },
        { signature: real.signature.replace(/t=\d+/, `t=${'9'.repeat(5_000)}`) },
        { signature: real.signature.replace(/t=\d+/, 't=-1') },
        { signature: real.signature.replace(/v1=.*/, 'v1=\u00e6') },
        { signature: 't,v1' },
        { secret: `whsec_${'x'.repeat(43)}` },
        { now: real.now + 301 },
        { now: real.now - 301 },
      ]
      for (const change of changed) expect(verify({ ...real, ...change }), JSON.stringify(change)).toBe(1)
      for (const now of [real.now + 299, real.now - 299]) expect(verify({ ...real, now })).toBe(0)
    },
  )

  test.skipIf(isThere[language] !== true)('verifies the published example (needs the language)', () => {
    const verify = run[language] ?? (() => null)
    const published = {
      body: cell('body'),
      signature: cell('header'),
      secret: cell('secret'),
      now: 1_789_200_000,
    }
    expect(verify(published)).toBe(0)
  })
})

test('the published example is what the service signs and what the outside verifier takes', () => {
  const request = { header: cell('header'), body: Buffer.from(cell('body')), secret: cell('secret') }
  expect(whyRefused(request, new Date('2026-09-12T08:04:00Z'))).toBe(null)
  expect(whyRefused(request, new Date('2026-09-12T08:06:00Z'))).not.toBe(null)
})
