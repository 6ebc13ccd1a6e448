import type { Selectable } from 'kysely'
import type { Destination } from '../../contract/alerts/shapes.ts'
import type { Tables } from '../../database/tables.ts'

type DestinationRow = Selectable<Tables['alert_destination']>

export const shownColumns = [
  'id',
  'kind',
  'name',
  'host',
  'events',
  'enabled',
  'last_delivery_at',
  'last_error',
] as const satisfies (keyof DestinationRow)[]

/** As the interface shows it: never the URL, never the secret. */
export function toDestination(row: Pick<DestinationRow, (typeof shownColumns)[number]>): Destination {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    host: row.host,
    events: row.events,
    enabled: row.enabled,
    lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
    lastError: row.last_error,
  }
}
