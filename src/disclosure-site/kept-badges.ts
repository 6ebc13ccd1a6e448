/** How often the figures of a family are counted at most, however many ask. */
const countedForMs = 60_000
const maxKept = 1_000

export type Kept = { svg: Promise<string>; until: number }

/** The badge as drawn within the last minute, otherwise drawn now and cached; the least recently used are dropped. Failures are not cached. */
export function keptOr(kept: Map<string, Kept>, key: string, draw: () => Promise<string>): Promise<string> {
  const known = kept.get(key)
  const current =
    known !== undefined && performance.now() < known.until
      ? known
      : { svg: draw(), until: performance.now() + countedForMs }
  kept.delete(key)
  kept.set(key, current)
  current.svg.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return current.svg
}
