import { ObjectStoreError, type ObjectStore } from './object-store.ts'

/** What the calls of this process have met. Times are those of `performance.now()`. */
export type StoreHealth = {
  /** The first failure since it last answered; null: it answers, or was not asked. */
  failingSinceMs: number | null
  lastError: { atMs: number; words: string } | null
}

export type WatchedStore = ObjectStore & { health: () => StoreHealth }

/** The same store, which remembers since when it fails, and the last error. */
export function watchStore(store: ObjectStore): WatchedStore {
  const health: StoreHealth = { failingSinceMs: null, lastError: null }
  const hear = async <T>(call: Promise<T>): Promise<T> => {
    try {
      const answer = await call
      health.failingSinceMs = null
      return answer
    } catch (error) {
      if (error instanceof ObjectStoreError) {
        const atMs = performance.now()
        health.failingSinceMs ??= atMs
        health.lastError = { atMs, words: error.message }
      }
      throw error
    }
  }
  return {
    health: () => ({ ...health }),
    put: (...call) => hear(store.put(...call)),
    get: (...call) => hear(store.get(...call)),
    has: (...call) => hear(store.has(...call)),
    remove: (...call) => hear(store.remove(...call)),
    async *list(prefix) {
      const pages = store.list(prefix)
      for (;;) {
        const next = await hear(pages.next())
        if (next.done === true) return
        yield next.value
      }
    },
    keepsVersions: () => hear(store.keepsVersions()),
    close: () => store.close(),
  }
}
