import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { open, seal, SealError, type SealedPlace } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'

/** Whether values can be sealed and opened: a key is there, and it is the one this database was written with. */
export type SealingState = 'ready' | 'no_key' | 'other_key'

/** Everything that must not be readable in the database is written through this (docs/operating.md, "Encryption keys"). */
export type Sealing = {
  /** Opens the canary. */
  state: (db: Db) => Promise<SealingState>
  /** The same, and keeps any other key from becoming the writing one until the transaction has ended. */
  lock: (tx: Tx) => Promise<SealingState>
  /** Codes: `not_configured` (no key). */
  seal: (place: SealedPlace, content: string | Uint8Array) => Buffer
  /** The text. Throws `SealError`. */
  open: (place: SealedPlace, envelope: Buffer) => string
  /** Content that is no text. Throws `SealError`. */
  openBytes: (place: SealedPlace, envelope: Buffer) => Buffer
  ring: KeyRing | null
}

const nowhere = '00000000-0000-0000-0000-000000000000'
export const canaryPlace: SealedPlace = { purpose: 'canary', workspaceId: nowhere, rowId: nowhere }
const canaryText = 'can be opened'

export function createSealing(ring: KeyRing | null): Sealing {
  return {
    ring,
    state: (db) => stateOf(ring, () => selectCanary(db).executeTakeFirst()),
    lock: (tx) => stateOf(ring, () => selectCanary(tx).forShare().executeTakeFirst()),
    seal: (place, content) => {
      if (ring === null) throw new ServiceError('not_configured')
      return seal(ring, place, content)
    },
    open: (place, envelope) => openWith(ring, place, envelope).toString('utf8'),
    openBytes: (place, envelope) => openWith(ring, place, envelope),
  }
}

function openWith(ring: KeyRing | null, place: SealedPlace, envelope: Buffer): Buffer {
  if (ring === null) throw new SealError('unknown_key')
  return open(ring, place, envelope)
}

/** Refuses to seal under a key that this database was not written with. `what` cannot be stored then. Codes: `not_configured`. */
export async function requireSealing(db: Db, sealing: Sealing, what = 'destination URLs'): Promise<void> {
  refuseUnready(await sealing.state(db), what)
}

/**
 * The same in the transaction that stores what is sealed: `keys rotate` waits for it, and finds it. `what` is stored. Codes:
 * `not_configured`.
 */
export async function lockSealing(tx: Tx, sealing: Sealing, what = 'destination URLs'): Promise<void> {
  refuseUnready(await sealing.lock(tx), what)
}

function refuseUnready(state: SealingState, what = 'destination URLs'): void {
  if (state === 'ready') return
  throw new ServiceError('not_configured', {
    message: `The service cannot store ${what} at the moment. Its operator has to set its encryption keys.`,
  })
}

/** Writes the canary of a database that has none yet. Any number of processes may do so at once. */
export async function placeCanary(db: Db, { ring }: Sealing, now: Date): Promise<void> {
  if (ring === null) return
  await db
    .insertInto('sealing_canary')
    .values({ envelope: seal(ring, canaryPlace, canaryText), sealed_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

function selectCanary(db: Db | Tx) {
  return db.selectFrom('sealing_canary').select('envelope')
}

async function stateOf(
  ring: KeyRing | null,
  read: () => Promise<{ envelope: Buffer } | undefined>,
): Promise<SealingState> {
  if (ring === null) return 'no_key'
  const canary = await read()
  if (canary === undefined) return 'other_key'
  try {
    return open(ring, canaryPlace, canary.envelope).toString('utf8') === canaryText ? 'ready' : 'other_key'
  } catch (error) {
    if (error instanceof SealError) return 'other_key'
    throw error
  }
}
