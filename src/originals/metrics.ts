import { sql } from 'kysely'
import { Counter, type Registry } from 'prom-client'
import type { Deps } from '../platform/deps.ts'
import { addStoredGauges, prefix } from '../platform/metrics.ts'
import { cachedFor } from '../platform/concurrency/cached.ts'
import { countErasing } from './erase.ts'
import type { Originals } from './originals.ts'

type Watched = Pick<Deps, 'db' | 'log'> & { originals: Originals }

/** What the object store has not done, for this process and its parser children, and what waits there. Nothing without an object store. */
export function addOriginalsMetrics(registry: Registry, { db, log, originals }: Watched): void {
  if (originals.store === null) return
  new Counter({
    name: `${prefix}object_store_failures_total`,
    help: 'Calls to the object store that failed: put of an upload, get of an original.',
    labelNames: ['call'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [call, count] of Object.entries(originals.failures)) this.inc({ call }, count)
    },
  })
  addStoredGauges(registry, {
    gauges: {
      objects: {
        help: 'Originals in the object store: staged (put, named by nothing yet), kept, erasing, lost (given up).',
        labelNames: ['state'],
      },
      oldest_staged_object_age_seconds: {
        help: 'Time since the oldest object was put that nothing names yet; above 15 minutes nobody gives it up.',
        labelNames: [],
      },
      oldest_erasing_object_age_seconds: {
        help: 'Time since the oldest object was due to be erased; 0 when none is.',
        labelNames: [],
      },
    },
    read: () => selectObjectStates(db),
    show: (gauge, states) => {
      for (const state of ['staged', 'kept', 'erasing', 'lost'] as const)
        gauge('objects').set({ state }, states[state])
      gauge('oldest_staged_object_age_seconds').set(states.stagedSeconds)
      gauge('oldest_erasing_object_age_seconds').set(states.erasingSeconds)
    },
    log,
  })
}

export type ObjectStates = Record<
  'staged' | 'kept' | 'erasing' | 'lost' | 'stagedSeconds' | 'erasingSeconds',
  number
>

/** Ages by the database's own clock, which wrote the times. */
export async function selectObjectStates(db: Deps['db']): Promise<ObjectStates> {
  const { rows } = await sql<ObjectStates>`
    select count(*) filter (where state = 'staged') as staged, count(*) filter (where state = 'kept') as kept,
      count(*) filter (where state = 'erasing') as erasing, count(*) filter (where state = 'lost') as lost,
      greatest(0, coalesce(extract(epoch from now() - min(staged_at) filter (where state = 'staged')), 0)) as "stagedSeconds",
      greatest(0, coalesce(extract(epoch from now() - min(erase_from)), 0)) as "erasingSeconds"
    from original_object`.execute(db)
  const [states] = rows
  if (states === undefined) throw new Error('the objects have no count')
  return states
}

const checkEveryMs = 60_000

/** Originals that the service cannot read or erase because it is not told where they are, in words for operators; looked at once a minute. */
export function createOriginalsProbe({
  db,
  originals,
}: Pick<Watched, 'db' | 'originals'>): () => Promise<string[]> {
  return cachedFor(checkEveryMs, async () => {
    if (originals.store !== null) {
      const waiting = await countErasing(db, originals.bucket)
      if (waiting.elsewhere === 0) return []
      return [
        `originals: ${waiting.elsewhere} to be erased were put into another bucket than OBJECT_STORE_URL names: "objects erase" with its address erases them`,
      ]
    }
    const { rows } = await sql<{ named: boolean; due: boolean }>`
      select exists (select from original_object where state = 'kept') as named,
        exists (select from original_object where state = 'erasing') as due`.execute(db)
    const notSet = 'are in an object store, and OBJECT_STORE_URL is not set: they cannot be'
    return [
      ...(rows[0]?.named === true ? [`originals: some ${notSet} read`] : []),
      ...(rows[0]?.due === true ? [`originals: some that nothing names any more ${notSet} erased`] : []),
    ]
  })
}
