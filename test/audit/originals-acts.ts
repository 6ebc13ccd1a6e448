import { randomUUID } from 'node:crypto'
import type { ObjectStore } from '../../src/originals/objects/object-store.ts'
import { createOriginals } from '../../src/originals/originals.ts'
import { eraseOriginals } from '../../src/workspace/originals/erase-originals.ts'
import { testSealing } from '../support/http.ts'
import type { Act } from './act.ts'
import { scene, workspaceId } from './acts-scene.ts'

const refuse = () => {
  throw new Error('the store is only asked to remove')
}

/** A store from which everything can be removed. */
const store: ObjectStore = {
  remove: () => Promise.resolve(),
  has: () => Promise.resolve(false),
  put: refuse,
  get: refuse,
  list: refuse,
  keepsVersions: refuse,
  close: () => Promise.resolve(),
}

/** One that nothing names any more, as after a deletion. */
export const erasure: Act = {
  what: 'an original erased from the object store',
  recorded: [['workspace.originals_erased', 'system', 'erasure of originals']],
  act: async () => {
    const { db } = scene.database
    const log = { error: () => undefined }
    const parts = { store, sealing: testSealing, log, takesNew: true, prefix: '', bucket: 'h.example/b-1' }
    const originals = createOriginals(parts)
    await db
      .insertInto('original_object')
      .values({
        id: randomUUID(),
        workspace_id: workspaceId,
        sha256: Buffer.alloc(32, 1),
        sealed_sha256: Buffer.alloc(32, 2),
        sealed_bytes: 100,
        key_id: 1,
        state: 'erasing',
        kept_at: new Date(0),
        erase_from: new Date(0),
      })
      .execute()
    await eraseOriginals(db, { workspaceId, originals, log, now: scene.now })
  },
}
