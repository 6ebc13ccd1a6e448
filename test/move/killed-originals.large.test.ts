import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { runCommand } from '../support/command.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { S3Server } from '../support/s3-server.ts'
import { withPooler } from '../support/told-of-pooler.ts'
import { killAt, startCommand } from './killed-command.ts'
import { MoveScene, originalsIn } from './move-scene.ts'
import { readOriginalFiles } from './original-files.ts'

const targetKeys = newKeyText()
const importWords = ['workspace', 'import', 'acme.archive', '--key', 'move.key']

let here: S3Server
let there: S3Server
let scene: MoveScene
let target: TestDatabase
let env: Record<string, string>

beforeAll(async () => {
  ;[here, there] = [await S3Server.start(), await S3Server.start()]
  scene = await MoveScene.open(here)
  target = await createTestDatabase()
  env = withPooler({
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: target.url,
    ENCRYPTION_KEYS: targetKeys,
    ...there.env,
  })
  const { writing } = scene.transport
  await writeFile(scene.file('move.key'), writing.key.toString('base64'))
  const originals = originalsIn(here, scene.source.sealing)
  await scene.export('acme.archive', { from: { ...scene.source, originals } })
  await originals.store?.close()
})
afterEach(() => {
  there.heal()
  there.onDone = () => undefined
})
afterAll(async () => {
  await scene.close()
  await target.drop()
  await Promise.all([here.stop(), there.stop()])
})

const start = (words: readonly string[]) => startCommand(words, { cwd: scene.folder, env })

async function countOf(what: string): Promise<number> {
  const { rows } = await target.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${what}`)
  return rows[0]?.count ?? -1
}

/** Kills the import after the store has accepted so many objects. */
async function killAfterPuts(puts: number): Promise<void> {
  const { child, ended } = start(importWords)
  let done = 0
  there.onDone = (method) => {
    if (method === 'PUT') done += 1
    if (method === 'PUT' && done === puts) child.kill('SIGKILL')
  }
  expect((await ended).code).toBeNull()
}

/** Kills it when all objects are stored and its transaction waits for a table locked by another session. */
const killInTransaction = (table: string) => killAt(table, target, () => start(importWords))

/** A quarter of an hour later the schedule removes objects that no row names. */
async function anHourLater(): Promise<void> {
  await target.pool.query(`UPDATE original_object SET staged_at = staged_at - interval '1 hour'`)
  await runCommand(env, ['drain'])
}

describe('an import that is killed', () => {
  it.each([
    ['while it puts originals', () => killAfterPuts(2)],
    ['while it writes the rows that name them', () => killInTransaction('audit_link')],
  ])(
    '%s leaves nothing of the workspace, and its objects are removed',
    async (_when, kill) => {
      await kill()
      for (const table of ['workspace', 'member', 'sbom', 'audit_event'])
        expect({ table, rows: await countOf(table) }).toEqual({ table, rows: 0 })
      expect(await countOf(`original_object WHERE state = 'staged'`)).toBeGreaterThan(1)
      expect(await countOf(`original_object WHERE state <> 'staged'`)).toBe(0)
      expect(there.keys().length).toBeGreaterThan(0)
      await anHourLater()
      expect(await countOf('original_object')).toBe(0)
      expect(there.keys()).toEqual([])
    },
    180_000,
  )

  it('is followed at once by one that takes all in, and what the first has put still goes', async () => {
    await killAfterPuts(2)
    there.onDone = () => undefined
    const again = await start(importWords).ended
    expect(again, again.said).toMatchObject({ code: 0 })
    const sealing = createSealing(createKeyRing(parseKeys(targetKeys)))
    const target_ = { store: target, sealing, originals: originalsIn(there, sealing) }
    const source_ = { ...scene.source, originals: originalsIn(here, scene.source.sealing) }
    const acme = scene.workspaces[0].id
    const [after, before] = [await readOriginalFiles(target_, acme), await readOriginalFiles(source_, acme)]
    const hashes = (files: typeof after) => Object.entries(files).map(([row, { sha256 }]) => [row, sha256])
    expect(hashes(after).sort()).toEqual(hashes(before).sort())
    await anHourLater()
    expect(await countOf(`original_object WHERE state <> 'kept'`)).toBe(0)
    expect(there.keys()).toHaveLength(await countOf('original_object'))
    const checked = await runCommand<Record<string, unknown>>(env, ['objects', 'check'])
    expect(checked).toMatchObject({ missing: [], damaged: [], unopenable: 0, orphaned: { count: 0 } })
    for (const { originals } of [source_, target_]) await originals.store?.close()
  })
})
