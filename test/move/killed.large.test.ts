import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKeyText } from '../../src/platform/sealing/key-ring.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { withPooler } from '../support/told-of-pooler.ts'
import { killAt, startCommand } from './killed-command.ts'

let source: TestDatabase
let target: TestDatabase
let acme: TestWorkspace
let folder: string
const keys = new Map<TestDatabase, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-'))
  await writeFile(join(folder, 'move.key'), newKeyText())
  source = await createTestDatabase()
  target = await createTestDatabase()
  for (const store of [source, target]) keys.set(store, newKeyText())
  ;[acme] = await createScene(source.db)
  await drain(source.db, new Date())
})
afterAll(async () => {
  await Promise.all([source.drop(), target.drop()])
  await rm(folder, { recursive: true })
})

/** A CLI command in its own process. */
function start(store: TestDatabase, words: string[]) {
  const env = {
    ...withPooler({ PATH: process.env['PATH'] ?? '', DATABASE_URL: store.url }),
    ENCRYPTION_KEYS: keys.get(store) ?? '',
  }
  return startCommand(['workspace', ...words], { cwd: folder, env })
}

const exportWords = ['export', 'acme', '--to', 'acme.archive', '--key', 'move.key']
const importWords = ['import', 'acme.archive', '--key', 'move.key']

async function rowsOfTarget(): Promise<number> {
  const { rows } = await target.pool.query<{ rows: number }>(`
    SELECT ((SELECT count(*) FROM workspace) + (SELECT count(*) FROM person) + (SELECT count(*) FROM audit_event)
      + (SELECT count(*) FROM job))::int AS rows`)
  return rows[0]?.rows ?? -1
}

describe('a command that is killed', () => {
  it('leaves no archive, and the next run writes one', async () => {
    await killAt('alert_destination', source, () => start(source, exportWords))
    expect(await readdir(folder)).not.toContain('acme.archive')
    const { rows } = await source.pool.query(`SELECT slug FROM workspace WHERE moving_at IS NOT NULL`)
    expect(rows).toEqual([{ slug: 'acme' }])
    const again = await start(source, exportWords).ended
    expect(again, again.said).toMatchObject({ code: 0 })
    expect((await readdir(folder)).sort()).toEqual(['acme.archive', 'move.key'])
  })

  it('leaves nothing of a workspace, and the next run takes it in', async () => {
    await killAt('audit_link', target, () => start(target, importWords))
    expect(await rowsOfTarget()).toBe(0)
    const again = await start(target, importWords).ended
    expect(again, again.said).toMatchObject({ code: 0 })
    const { rows } = await target.pool.query(`SELECT id, slug FROM workspace`)
    expect(rows).toEqual([{ id: acme.id, slug: 'acme' }])
    const twice = await start(target, importWords).ended
    expect(twice.code).not.toBe(0)
    expect(twice.said).toMatch(/is here already, as "acme"/)
    expect(twice.said).not.toMatch(/\n\s+at /)
  })
})
