import type { Db } from '../../database/connection.ts'
import type { Sealing, SealingState } from '../../platform/sealing/sealing.ts'
import { countAllUnusable, type Unusable } from './unusable.ts'

const sealed =
  'destinations, reports, authenticator apps, client secrets of single sign-on, links of messages and originals in the object store'

const words: Record<SealingState, string> = {
  ready: 'the key is the one this database was written with',
  no_key: `there is no key: ${sealed} cannot be used until ENCRYPTION_KEYS holds it`,
  other_key: `no key that is set is the one this database was written with: ${sealed} cannot be used until it is back`,
}

/** Where the keys come from. */
export type KeySource = 'ENCRYPTION_KEYS' | 'file' | null

export type KeyState = Unusable & {
  state: SealingState
  meaning: string
  from: KeySource
  /** The id of the key that writes; the key cannot be told from it. */
  writingKey: number | null
}

type Asked = { db: Db; sealing: Sealing; keysFrom: KeySource }

/** Which key is in use and what it cannot open; no key. */
export async function keyState({ db, sealing, keysFrom }: Asked): Promise<KeyState> {
  const state = await sealing.state(db)
  return {
    state,
    meaning: words[state],
    from: keysFrom,
    writingKey: sealing.ring?.writing.id ?? null,
    ...(await countAllUnusable({ db, sealing })),
  }
}
