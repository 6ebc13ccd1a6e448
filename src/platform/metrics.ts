import type { Pool } from 'pg'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { cachedFor, withinMs } from './concurrency/cached.ts'
import { coalesced } from './concurrency/coalesced.ts'
import type { Deps } from './deps.ts'
import type { StoreState } from './readiness.ts'

/** Our metrics begin with it; the runtime's keep the names that common dashboards expect (`process_`, `nodejs_`). */
export const prefix = 'sbom_monitor_'

/** Scrapes by several systems query the database no more often than this. */
const freshMs = 5_000
const deadlineMs = 2_000

let ofRuntime: Registry | undefined

/** Measured once in a process, however many services it opens: what watches the runtime for prom-client cannot be ended again. */
function runtimeMetrics(): Registry {
  if (ofRuntime !== undefined) return ofRuntime
  ofRuntime = new Registry()
  collectDefaultMetrics({ register: ofRuntime })
  return ofRuntime
}

/** The registry of a process: its runtime, and which build it is. */
export function createRegistry({ version, role }: { version: string; role: string }): Registry {
  const registry = Registry.merge([runtimeMetrics()])
  const build = new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1; the labels say which release runs, in which role, on which Node.',
    labelNames: ['version', 'role', 'node_version'],
    registers: [registry],
  })
  build.set({ version, role, node_version: process.version }, 1)
  return registry
}

/** The sessions of the process's own pool. */
export function addPoolMetrics(registry: Registry, pool: Pool): void {
  const sessions = new Gauge({
    name: `${prefix}database_sessions`,
    help: "Sessions of the process's pool on the store, by what they do.",
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'in_use' }, pool.totalCount - pool.idleCount)
    },
  })
  sessions.set({ state: 'idle' }, 0)
  addGauge(registry, {
    name: 'database_sessions_max',
    help: 'The maximum number of sessions in the pool (DATABASE_POOL_SIZE).',
    read: () => pool.options.max,
  })
  addGauge(registry, {
    name: 'database_waiting_requests',
    help: 'Requests that wait for a free session of the pool.',
    read: () => pool.waitingCount,
  })
}

type PlainGauge = { name: string; help: string; read: () => number }

/** A gauge without labels; `name` without the prefix. */
export function addGauge(registry: Registry, { name, help, read }: PlainGauge): void {
  new Gauge({
    name: prefix + name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** What the database can do, as `/readyz` says it: of all metrics those that are there while it is away. */
export function addStoreStateMetrics(registry: Registry, storeState: () => Promise<StoreState>): void {
  const add = (name: string, help: string, read: (state: StoreState) => boolean) =>
    new Gauge({
      name: prefix + name,
      help,
      registers: [registry],
      async collect() {
        this.set(Number(read(await storeState())))
      },
    })
  add('database_answers', '1 while the database answers with the current schema.', ({ store }) => store)
  add('database_writable', '1 while the database commits writes.', ({ writable }) => writable)
}

type StoredGauges<Row> = {
  /** Without the prefix. */
  gauges: Record<string, { help: string; labelNames: string[] }>
  read: () => Promise<Row>
  /** Sets the gauges, which are all empty, from what was read. */
  show: (gauges: (name: string) => Gauge, row: Row) => void
  log: Deps['log']
}

/** Gauges whose values are in the database, read together. While the database does not answer they are absent and the rest is shown. */
export function addStoredGauges<Row>(
  registry: Registry,
  { gauges, read, show, log }: StoredGauges<Row>,
): void {
  const cached = cachedFor(freshMs, read)
  const made = new Map<string, Gauge>()
  const refresh = async () => {
    for (const gauge of made.values()) gauge.reset()
    try {
      const row = await withinMs(deadlineMs, cached(), 'the database did not answer in time')
      show((name) => gaugeOf(made, name), row)
    } catch (error) {
      // one without labels would be 0, which means something else: wrong keys, nothing that waits
      for (const [name, gauge] of made) if (gauges[name]?.labelNames.length === 0) gauge.remove()
      log.warn({ err: error }, 'metrics that are in the database are left out')
    }
  }
  const collect = coalesced(refresh)
  for (const [name, { help, labelNames }] of Object.entries(gauges)) {
    made.set(name, new Gauge({ name: prefix + name, help, labelNames, registers: [registry], collect }))
  }
}

function gaugeOf(made: Map<string, Gauge>, name: string): Gauge {
  const gauge = made.get(name)
  if (gauge === undefined) throw new Error(`there is no gauge "${name}"`)
  return gauge
}

/** Never negative, even when a clock was set back. */
export function ageSeconds(since: Date, now: Date): number {
  return Math.max(0, (now.getTime() - since.getTime()) / 1000)
}
