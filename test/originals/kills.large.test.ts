import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endWithKill, parserChildren } from '../reliability/scenarios/object-store-kills.ts'
import { runCommand } from '../support/command.ts'
import { call } from '../support/http.ts'
import { startRealService, type RealService } from '../support/real-service.ts'
import { S3Server } from '../support/s3-server.ts'
import { withPooler } from '../support/told-of-pooler.ts'
import { nextSbom, sha256 } from './bucket-scene.ts'

const mainFile = join(import.meta.dirname, '../../src/main.ts')

let bucket: S3Server
let real: RealService
beforeAll(async () => {
  bucket = await S3Server.start()
  real = await startRealService({ families: 20, env: bucket.env })
})
afterEach(() => bucket.heal())
afterAll(async () => {
  await real.close()
  await bucket.stop()
})

let turn = 0
const tokenOf = () => real.tokens[(turn += 1) % real.tokens.length] ?? ''

async function upload(body: Uint8Array, token = tokenOf()): Promise<number> {
  try {
    return (await call(`${real.service.baseUrl}/api/v1/sboms`, { method: 'POST', token, body })).status
  } catch {
    return 0
  }
}

/** Retries until acknowledged, as a pipeline does. */
async function uploadAtLast(body: Uint8Array, token: string): Promise<void> {
  await expect
    .poll(() => upload(body, token), { timeout: 60_000, interval: 200 })
    .toSatisfy((status: number) => status === 200 || status === 202)
}

type Named = { sha256: string; key: string | null }

/** The acknowledged files, and the location of each. */
async function named(): Promise<Named[]> {
  const rows = await real.query(`
    select encode(s.sha256, 'hex') as sha256, s.workspace_id || '/' || encode(o.sha256, 'hex') || '/' || o.id as key
    from sbom s left join original_object o on o.id = s.object_id and o.state = 'kept' order by 1`)
  return rows as Named[]
}

async function orphansGone(): Promise<void> {
  await real.query(
    `update original_object set staged_at = staged_at - interval '16 minutes' where state = 'staged'`,
  )
  await real.query(`update original_object set erase_from = now() where state = 'erasing'`)
  await runCommand(real.service.env, ['drain'])
  await expect
    .poll(async () => (await real.query(`select id from original_object where state <> 'kept'`)).length, {
      timeout: 60_000,
    })
    .toBe(0)
  const keys = (await named()).map(({ key }) => `pre/fix/${key ?? 'none'}`)
  expect(bucket.keys()).toEqual(keys.sort())
}

describe('a kill', () => {
  it.each([
    ['between put and commit', true],
    ['between staging and put', false],
  ])(
    '%s loses nothing that was acknowledged, and what it leaves is removed',
    async (_when, isStored) => {
      const acknowledged: string[] = []
      for (let round = 0; round < 3; round += 1) {
        const token = tokenOf()
        const body = nextSbom()
        let killed = 0
        bucket.fate = (method) => {
          if (method !== 'PUT' || killed > 0) return undefined
          killed += 1
          const dying = endWithKill(parserChildren(real.service.pid()))
          return isStored ? dying : dying.then(() => Promise.reject(new Error('nobody asks any more')))
        }
        expect(await upload(body, token)).toBe(500)
        expect(killed).toBe(1)
        const states = await real.query(`select state from original_object where state = 'staged'`)
        expect(states.length).toBeGreaterThan(round)
        await uploadAtLast(body, token)
        acknowledged.push(sha256(body))
      }
      const rows = await named()
      const kept = new Set(
        rows.filter(({ key }) => bucket.objects.has(`pre/fix/${key ?? ''}`)).map((row) => row.sha256),
      )
      expect(acknowledged.filter((one) => !kept.has(one))).toEqual([])
      await orphansGone()
    },
    180_000,
  )

  it('of the whole service during uploads loses nothing that was acknowledged', async () => {
    const acknowledged: string[] = []
    let puts = 0
    let killing: Promise<unknown> | undefined
    bucket.onDone = (method) => {
      if (method === 'PUT') puts += 1
      if (puts === 12) killing ??= endWithKill([...parserChildren(real.service.pid()), real.service.pid()])
    }
    const bodies = Array.from({ length: 40 }, nextSbom)
    const senders = Array.from({ length: 8 }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const status = await upload(body)
        if (status === 202) acknowledged.push(sha256(body))
      }
    })
    await Promise.all(senders)
    bucket.onDone = () => undefined
    expect(killing).toBeDefined()
    await killing
    await real.service.restart()
    const rows = await named()
    const kept = new Set(
      rows.filter(({ key }) => bucket.objects.has(`pre/fix/${key ?? ''}`)).map((row) => row.sha256),
    )
    expect(acknowledged.filter((one) => !kept.has(one))).toEqual([])
    await orphansGone()
  })
})

describe('a store that hangs', () => {
  it('holds no session of the database in a transaction, and duplicates are still 200', async () => {
    const known = nextSbom()
    const token = tokenOf()
    expect(await upload(known, token)).toBe(202)
    let waiting = 0
    bucket.fate = () => {
      waiting += 1
      return 'hang'
    }
    const refused = Promise.all(Array.from({ length: 4 }, () => upload(nextSbom())))
    await expect.poll(() => waiting, { timeout: 30_000 }).toBeGreaterThanOrEqual(4)
    const held = await real.query(`
      select pid from pg_stat_activity where application_name like 'sbom-monitor parser%' and xact_start is not null`)
    expect(held).toEqual([])
    expect(await upload(known, token)).toBe(200)
    expect(await refused).toEqual([500, 500, 500, 500])
    bucket.heal()
    await uploadAtLast(nextSbom(), tokenOf())
  })
})

describe('moving under uploads', () => {
  /** Runs the command in its own process, killed after so many calls to the store. */
  async function moveKilled(
    to: string,
    env: Record<string, string>,
    calls: { method: string; max: number },
  ): Promise<void> {
    const child = spawn(process.execPath, [mainFile, 'objects', 'move', '--to', to], {
      env: withPooler({ ...real.service.env, ...env }),
      stdio: 'ignore',
    })
    let done = 0
    bucket.onDone = (method) => {
      if (method !== calls.method) return
      done += 1
      if (done === calls.max) child.kill('SIGKILL')
    }
    await once(child, 'exit')
    bucket.onDone = () => undefined
  }

  const leaving = { OBJECT_STORE_UPLOADS: 'database' }
  const move = (to: string, env: Record<string, string>) =>
    runCommand<{ moved: number; unreadable: number }>({ ...real.service.env, ...env }, [
      'objects',
      'move',
      '--to',
      to,
    ])

  it('in both directions, killed and resumed, keeps every file', async () => {
    for (let count = 0; count < 30; count += 1) expect([200, 202]).toContain(await upload(nextSbom()))
    const shas = async () => (await named()).map((row) => row.sha256)
    const before = await shas()
    await moveKilled('database', leaving, { method: 'GET', max: 8 })
    const [inStore] = await real.query(`select count(object_id)::int as some from sbom`)
    expect(Number(inStore?.['some'])).toBeGreaterThan(0)
    expect(await move('database', leaving)).toMatchObject({ unreadable: 0 })
    expect(await real.query(`select id from sbom where object_id is not null`)).toEqual([])
    const sending = (async () => {
      for (let count = 0; count < 10; count += 1) expect(await upload(nextSbom())).toBe(202)
    })()
    await moveKilled('store', {}, { method: 'PUT', max: 15 })
    await sending
    await move('store', {})
    expect(await real.query(`select id from sbom where raw is not null`)).toEqual([])
    expect(await shas()).toEqual(expect.arrayContaining(before))
    const checked = await runCommand<Record<string, unknown>>(real.service.env, ['objects', 'check'])
    expect(checked).toMatchObject({ missing: [], damaged: [], unopenable: 0, orphaned: { count: 0 } })
    await orphansGone()
  }, 240_000)
})
