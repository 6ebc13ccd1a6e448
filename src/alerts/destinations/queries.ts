import type { Selectable } from 'kysely'
import type { Destination } from '../../contract/alerts.ts'
import type { Tables } from '../../database/tables.ts'
import type { SealedPlace } from '../../platform/sealing/envelope.ts'
import type { SealedColumn } from '../../platform/sealing/reseal.ts'

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

const purposes = { url: 'destination url', secret: 'destination secret' } as const

type DestinationKey = { workspaceId: string; id: string }

export function urlPlace({ workspaceId, id }: DestinationKey): SealedPlace {
  return { purpose: purposes.url, workspaceId, rowId: id }
}

export function secretPlace({ workspaceId, id }: DestinationKey): SealedPlace {
  return { purpose: purposes.secret, workspaceId, rowId: id }
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'alert_destination', column: 'url_sealed', purpose: purposes.url },
  { table: 'alert_destination', column: 'secret_sealed', purpose: purposes.secret },
]
