import { randomUUID } from 'node:crypto'
import type { ObjectStore } from '../../src/originals/objects/object-store.ts'
import { createOriginals } from '../../src/originals/originals.ts'
import { eraseOriginals } from '../../src/workspace/originals/erase-originals.ts'
import { giveUpOriginals } from '../../src/workspace/originals/give-up-originals.ts'
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

const objectsOf = (over: Partial<ObjectStore> = {}) =>
  createOriginals({
    store: { ...store, ...over },
    sealing: testSealing,
    log: { error: () => undefined },
    takesNew: true,
    prefix: '',
    bucket: 'h.example/b-1',
  })

async function insertObject(state: 'erasing' | 'kept', sha256: Buffer): Promise<void> {
  await scene.database.db
    .insertInto('original_object')
    .values({
      id: randomUUID(),
      workspace_id: workspaceId,
      sha256,
      sealed_sha256: Buffer.alloc(32, 2),
      sealed_bytes: 100,
      key_id: 1,
      state,
      kept_at: new Date(0),
      erase_from: state === 'erasing' ? new Date(0) : null,
    })
    .execute()
}

/** One that nothing refers to any more, as after a deletion. */
export const erasure: Act = {
  what: 'an original erased from the object store',
  recorded: [['workspace.originals_erased', 'system', 'erasure of originals']],
  act: async () => {
    await insertObject('erasing', Buffer.alloc(32, 1))
    const log = { error: () => undefined }
    await eraseOriginals(scene.database.db, { workspaceId, originals: objectsOf(), log, now: scene.now })
  },
}

/** One that is missing from the store. */
export const givingUp: Act = {
  what: 'a lost original given up',
  recorded: [['workspace.originals_given_up', 'system', 'command line']],
  act: async () => {
    const sha256 = Buffer.alloc(32, 3)
    await insertObject('kept', sha256)
    await giveUpOriginals(scene.database.db, {
      workspaceId,
      originals: objectsOf({ get: () => Promise.resolve(null) }),
      sha256: [sha256.toString('hex')],
      actor: { kind: 'system', id: null, name: 'command line' },
      now: scene.now,
    })
  },
}
