import type { Registry } from 'prom-client'
import { sourceStates } from '../contract/sources/shapes.ts'
import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/deps.ts'
import { addStoredGauges, ageSeconds } from '../platform/metrics.ts'
import { listSourceStates, switchedOffIn } from './source-states.ts'

/** Of every source of vulnerability data: its state, and how old its data is. */
export function addSourceMetrics(
  registry: Registry,
  { db, now, log, config }: Deps & { config: Config },
): void {
  addStoredGauges(registry, {
    gauges: {
      source_state: {
        help: `1 for the state a source of vulnerability data is in, 0 for the others: ${sourceStates.join(', ')}.`,
        labelNames: ['source', 'state'],
      },
      source_age_seconds: {
        help: "Time since a source's data was last imported or confirmed; absent when it never was.",
        labelNames: ['source'],
      },
      source_records: { help: 'Records imported from a source.', labelNames: ['source'] },
    },
    read: () => listSourceStates(db, switchedOffIn(config)),
    show: (gauge, stored) => {
      for (const { name: source, state: current, recordCount, lastSuccessAt } of stored) {
        for (const state of sourceStates)
          gauge('source_state').set({ source, state }, Number(state === current))
        gauge('source_records').set({ source }, recordCount)
        if (lastSuccessAt !== null)
          gauge('source_age_seconds').set({ source }, ageSeconds(lastSuccessAt, now()))
      }
    },
    log,
  })
}
