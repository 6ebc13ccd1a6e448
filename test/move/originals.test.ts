import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { exportRows } from '../../src/move/export-workspace.ts'
import { importWorkspace } from '../../src/move/import-workspace.ts'
import { moveToDatabase } from '../../src/originals/move.ts'
import { selectOriginal } from '../../src/sbom/select-sbom.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import { BucketScene, nextSbom } from '../originals/bucket-scene.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { testSealing } from '../support/http.ts'
import { newRing, onProgress, openInstallation, operator, type Installation } from './move-scene.ts'

let from: BucketScene
let to: Installation
let folder: string
const transport = newRing()

beforeAll(async () => {
  from = await BucketScene.open()
  to = await openInstallation()
  folder = await mkdtemp(join(tmpdir(), 'move-originals-'))
})
afterAll(async () => {
  await from.close()
  await to.store.drop()
  await rm(folder, { recursive: true })
})

const exported = (name: string) =>
  exportRows(from.scene.database.connection, {
    workspaceId: from.scene.acme.id,
    file: join(folder, name),
    ring: testSealing.ring,
    transport,
    now: testNow,
    onProgress,
  })

it('a workspace takes its originals out of the object store before it moves, and leaves those of others there', async () => {
  const file = nextSbom()
  const { id } = await from.sent(file)
  await from.sent(nextSbom(), from.scene.umbrella)
  await drain(from.db, testNow)
  await chainEvents(from.db)
  await expect(exported('refused')).rejects.toThrow(
    'Originals of the workspace are in the object store (1). Move them into the database with "objects move --to database --workspace acme"',
  )
  const moving = { originals: from.originals, sealing: testSealing, now: () => testNow }
  const moved = await moveToDatabase(from.db, {
    ...moving,
    columns: await originalColumns(),
    workspaceId: from.scene.acme.id,
  })
  expect(moved).toMatchObject({ moved: 1, unreadable: 0 })
  expect((await from.objects()).filter(({ state }) => state === 'kept')).toMatchObject([
    { workspace_id: from.scene.umbrella.id },
  ])
  await exported('archive')
  await importWorkspace(to.store, {
    file: join(folder, 'archive'),
    sealing: to.sealing,
    transport,
    actor: operator,
    now: testNow,
    onProgress,
  })
  const there = { db: to.store.db, originals: originalsInDatabase }
  const { raw } = await selectOriginal(there, from.scene.acme.id, id)
  expect(raw).toEqual((await from.sbomRow(id)).raw)
})
