import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layStore } from '../support/prepared-store.ts'
import { startService } from '../support/service.ts'
import { onDatabase } from '../support/test-server.ts'
import { urlAs, type Environment } from './run-verify.ts'
import { scratch, VerifyScene } from './verify-scene.ts'

let scene: VerifyScene

beforeAll(async () => {
  scene = await VerifyScene.open()
}, 240_000)
afterAll(() => scene.close())

describe('a check that is ended in the middle', () => {
  /** Starts one and makes it wait for a table in its database locked by another session. */
  async function startAndHold(env: Environment, session = scene.admin, urlOf = scratchUrl) {
    const before = new Set(await scene.scratchDatabases(session))
    const run = scene.start(env, 'whole.gz')
    const own = async () => (await scene.scratchDatabases(session)).find((name) => !before.has(name))
    await expect.poll(own, { timeout: 60_000, interval: 20 }).toBeDefined()
    const name = (await own()) ?? ''
    // the restore has checked for other sessions
    const migrating = async () =>
      (
        await session.query('SELECT FROM pg_stat_activity WHERE datname = $1 AND application_name = $2', [
          name,
          'sbom-monitor migrate',
        ])
      ).rowCount
    await expect.poll(migrating, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
    const holder = new pg.Client({ connectionString: urlOf(name) })
    // the check ends this connection
    holder.on('error', () => undefined)
    await holder.connect()
    const isThere = async () =>
      (await holder.query<{ found: boolean }>(`SELECT to_regclass('person') IS NOT NULL AS found`)).rows[0]
        ?.found
    await expect.poll(isThere, { timeout: 60_000, interval: 10 }).toBe(true)
    await holder.query('BEGIN; LOCK TABLE person IN ACCESS EXCLUSIVE MODE')
    const waiting = async () =>
      (await holder.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'person'::regclass`))
        .rowCount
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0)
    return { ...run, name, holder }
  }
  const scratchUrl = (name: string) =>
    urlAs(scene.roles.may, { direct: onDatabase(scene.source.direct, name) })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s leaves nothing', async (signal, expected) => {
    const { child, ended, name, holder } = await startAndHold(scene.asMay())
    child.kill(signal)
    const { code, report, said } = await ended
    expect(code, said).toBe(expected)
    expect(report).toBeNull()
    expect(said).not.toMatch(/\n\s+at /)
    expect(await scene.scratchDatabases()).not.toContain(name)
    await holder.end()
  })

  it('by SIGKILL leaves its database to the next one, which drops what is old and unused, and nothing else', async () => {
    const { child, ended, name, holder } = await startAndHold(scene.asMay())
    child.kill('SIGKILL')
    expect((await ended).code).toBeNull()
    await holder.end()
    const old = `${scratch}20200101000000_${scene.suffix}`
    const others = [
      `${scratch}20200102000000_${scene.suffix}`,
      `${scratch}notes_${scene.suffix}`,
      `${scratch}20200101000000_${scene.suffix}_copy`,
    ]
    const [used = ''] = others
    for (const other of others) await scene.admin.query(`CREATE DATABASE ${other} OWNER ${scene.roles.may}`)
    const user = new pg.Client({ connectionString: scratchUrl(used) })
    await user.connect()
    const left = async () => {
      const { rows } = await scene.admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
      return rows.length
    }
    try {
      // too recent: another run may be about to connect
      expect((await scene.verify(scene.asMay(), 'whole.gz')).code).toBe(0)
      expect(await scene.scratchDatabases()).toEqual([...others, name].sort())
      await expect.poll(left, { timeout: 60_000 }).toBe(0)
      await scene.admin.query(`ALTER DATABASE ${name} RENAME TO ${old}`)
      expect((await scene.verify(scene.asMay(), 'whole.gz')).code).toBe(0)
      expect(await scene.scratchDatabases()).toEqual(others.sort())
    } finally {
      await user.end()
      for (const other of [...others, old, name])
        await scene.admin.query(`DROP DATABASE IF EXISTS ${other} WITH (FORCE)`)
    }
  })

  it('two at once keep apart', async () => {
    const both = await Promise.all([
      scene.verify(scene.asMay(), 'whole.gz'),
      scene.verify(scene.asMay(), 'whole.gz'),
    ])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(await scene.scratchDatabases()).toEqual([])
  })

  it('with the embedded database, beside the service: it goes on, and nothing is left', async () => {
    const env = { DATA_DIR: scene.fileOf('data'), DATABASE_URL: '' }
    await layStore(env.DATA_DIR)
    const service = await startService({ env })
    const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
    const session = new pg.Client({ connectionString: databaseUrl })
    await session.connect()
    try {
      await service.cli(['backup', scene.fileOf('embedded.gz')])
      const embedded = { ...env, BASE_URL: service.baseUrl }
      const whole = await scene.verify(embedded, 'embedded.gz')
      expect(whole.report, whole.said).toMatchObject({ isWhole: true, problems: [] })
      expect((await session.query('SELECT FROM verified_backup')).rowCount).toBe(1)
      const urlOf = (name: string) =>
        databaseUrl.replace(/^(postgresql:\/\/\/)[^?]+/, (_, begin) => `${String(begin)}${name}`)
      const { child, ended, holder } = await startAndHold(embedded, session, urlOf)
      expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200)
      child.kill('SIGTERM')
      expect((await ended).code).toBe(143)
      expect(await scene.scratchDatabases(session)).toEqual([])
      await holder.end()
    } finally {
      await session.end()
      await service.stop()
    }
  })
})
