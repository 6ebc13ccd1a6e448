import { coalesced } from './coalesced.ts'

/** Reads at most once in `forMs` and once at a time, however often it is asked; failures are not cached. */
export function cachedFor<T>(forMs: number, read: () => Promise<T>): () => Promise<T> {
  const readOnce = coalesced(read)
  let kept: { value: T; until: number } | null = null
  return async () => {
    if (kept !== null && performance.now() < kept.until) return kept.value
    const value = await readOnce()
    kept = { value, until: performance.now() + forMs }
    return value
  }
}

/** The value, or an error with `message` when it takes longer. The work itself continues. */
export async function withinMs<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
