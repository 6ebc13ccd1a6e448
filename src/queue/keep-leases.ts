import { renewLeases } from './claim.ts'
import type { Worker } from './run-next.ts'

const renewMs = 5_000

/** Renews the leases of the jobs under way. Returns what ends it. */
export function keepLeases(
  { db, name, log }: Pick<Worker, 'db' | 'name' | 'log'>,
  running: ReadonlySet<number>,
): () => void {
  const renewing = setInterval(() => {
    void renewLeases(db, name, [...running]).catch((error: unknown) =>
      log.error({ err: error }, 'leases could not be kept'),
    )
  }, renewMs)
  return () => clearInterval(renewing)
}
