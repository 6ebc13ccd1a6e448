import { Histogram, type Registry } from 'prom-client'
import type { Deps } from '../../platform/deps.ts'
import { addStoredGauges, ageSeconds, prefix } from '../../platform/metrics.ts'

type DeliveryOutcome = 'sent' | 'failed' | 'not_sent'
export type ObserveDelivery = (outcome: DeliveryOutcome, seconds: number) => void

/** Deliveries that wait and that are being sent, and for how long the oldest has waited. */
export function addDeliveryMetrics(registry: Registry, { db, now, log }: Deps): void {
  addStoredGauges(registry, {
    gauges: {
      deliveries: { help: 'Deliveries of alerts that are not finished, by state.', labelNames: ['state'] },
      oldest_delivery_age_seconds: {
        help: 'Time since the event of the oldest delivery that waits; absent when none waits.',
        labelNames: [],
      },
    },
    // served by the partial indexes alert_delivery_waiting and alert_delivery_sending
    read: () =>
      db
        .selectFrom('alert_delivery')
        .select(({ fn }) => [
          'state',
          fn.countAll<number>().as('count'),
          fn.min<Date>('created_at').as('oldest'),
        ])
        .where((where) => where.or([where('state', '=', 'pending'), where('state', '=', 'sending')]))
        .groupBy('state')
        .execute(),
    show: (gauge, found) => {
      for (const state of ['pending', 'sending'] as const)
        gauge('deliveries').set({ state }, found.find((row) => row.state === state)?.count ?? 0)
      const oldest = found.find(({ state }) => state === 'pending')?.oldest
      if (oldest !== undefined) gauge('oldest_delivery_age_seconds').set(ageSeconds(oldest, now()))
    },
    log,
  })
}

/** The deliveries that this process made. */
export function addDeliveryOutcomes(registry: Registry): ObserveDelivery {
  const durations = new Histogram({
    name: `${prefix}delivery_duration_seconds`,
    help: 'How long deliveries of alerts took, by outcome; its count is how many there were.',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  return (outcome, seconds) => durations.observe({ outcome }, seconds)
}
