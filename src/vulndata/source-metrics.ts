import type { Registry } from 'prom-client'
import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/deps.ts'
import { addStoredGauges, ageSeconds } from '../platform/metrics.ts'
import { conditionOf, listSources, sourceConditions } from './source-states.ts'

/** Of every source of vulnerability data: its state, and how old its data is. */
export function addSourceMetrics(
  registry: Registry,
  { db, now, log, config }: Deps & { config: Config },
): void {
  addStoredGauges(registry, {
    gauges: {
      source_state: {
        help: `1 for the state a source of vulnerability data is in, 0 for the others: ${sourceConditions.join(', ')}.`,
        labelNames: ['source', 'state'],
      },
      source_age_seconds: {
        help: "Time since a source's data was last taken over or confirmed; absent when it never was.",
        labelNames: ['source'],
      },
      source_records: { help: 'Records taken over from a source.', labelNames: ['source'] },
    },
    read: () => listSources(db),
    show: (gauge, stored) => {
      const byName = new Map(stored.map((source) => [source.name, source]))
      for (const name of new Set([...Object.keys(config.feeds), ...byName.keys()])) {
        const source = byName.get(name)
        const current = conditionOf(source, { isOff: isOff(config, name) })
        for (const state of sourceConditions)
          gauge('source_state').set({ source: name, state }, Number(state === current))
        gauge('source_records').set({ source: name }, source?.recordCount ?? 0)
        if (source?.lastSuccessAt)
          gauge('source_age_seconds').set({ source: name }, ageSeconds(source.lastSuccessAt, now()))
      }
    },
    log,
  })
}

function isOff({ feeds }: Config, name: string): boolean {
  return feeds[name] === null
}
