import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { exportRows } from '../../src/move/export-workspace.ts'
import { importWorkspace } from '../../src/move/import-workspace.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { testSealing } from '../support/http.ts'
import { sampleComponent } from '../support/sample-sbom.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { newRing, onProgress, openInstallation, operator, type Installation } from './move-scene.ts'

const components = 10_000

let scene: UploadScene
let target: Installation
let folder: string
const transport = newRing()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counted-'))
  scene = await UploadScene.open()
  target = await openInstallation()
})
afterAll(async () => {
  await scene.close()
  await target.store.drop()
  await rm(folder, { recursive: true })
})

async function upload(numbers: number[], version: string): Promise<void> {
  const body = gzipSync(cyclonedx({ components: numbers.map(sampleComponent) }))
  await scene.uploaded(body, { headers: { 'Content-Encoding': 'gzip', 'X-Service-Version': version } })
}

/** The second SBOM has every other component of the first: each of its components is looked up by itself. */
async function exportLarge(file: string): Promise<void> {
  const all = Array.from({ length: components }, (_, number) => number)
  await upload(all, '1.0')
  await drain(scene.database.db, testNow)
  await upload(
    all.filter((number) => number % 2 === 0),
    '2.0',
  )
  await drain(scene.database.db, testNow)
  await chainEvents(scene.database.db)
  await exportRows(scene.database.connection, {
    workspaceId: scene.company.workspaceId,
    file,
    sealing: testSealing,
    originals: originalsInDatabase,
    originalColumns: await originalColumns(),
    transport,
    now: testNow,
    onProgress,
  })
}

describe('a workspace that is taken in while the server counts its tables', () => {
  it('has its coverage counted in seconds, although the server saw their pages and none of their rows', async () => {
    const file = join(folder, 'large.gz')
    await exportLarge(file)
    const other = new pg.Client(target.store.direct)
    await other.connect()
    await other.query('begin; lock table finding in share mode')
    const importing = importWorkspace(target.store, {
      file,
      sealing: target.sealing,
      originals: originalsInDatabase,
      originalColumns: await originalColumns(),
      transport,
      actor: operator,
      now: testNow,
      onProgress,
    })
    await untilWaiting(target.store)
    // what autovacuum does at a moment of its own choosing
    const server = new pg.Client(target.store.direct)
    await server.connect()
    await server.query('vacuum (analyze) component')
    await server.query('vacuum (analyze) sbom_inventory')
    await server.end()
    const startedAt = performance.now()
    await other.query('rollback')
    await other.end()
    await importing
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const { rows } = await target.store.pool.query<{ components: number }>(
      `select sum((c->>'components')::int)::int as components from sbom_inventory, jsonb_array_elements(coverage) c`,
    )
    expect(rows).toEqual([{ components: components * 1.5 }])
  }, 120_000)
})
