import { cachedFor } from '../concurrency/cached.ts'
import type { Deps } from '../deps.ts'
import type { Sealing, SealingState } from './sealing.ts'

const checkEveryMs = 60_000

const words: Record<SealingState, string[]> = {
  ready: [],
  no_key: [
    'encryption keys: none is set in ENCRYPTION_KEYS, so alert destinations and vulnerability reports cannot be stored',
  ],
  other_key: ['encryption keys: those set are not the ones this database was written with'],
}

/** What does not work because of the keys, in words for operators; checked once a minute. */
export function createSealingProbe({
  db,
  log,
  sealing,
}: Pick<Deps, 'db' | 'log'> & { sealing: Sealing }): () => Promise<string[]> {
  return cachedFor(checkEveryMs, async () => {
    const found = words[await sealing.state(db)]
    if (found.length > 0) log.warn({ degraded: found }, 'values cannot be sealed or opened')
    return found
  })
}
