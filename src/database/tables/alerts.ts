import type { Generated } from 'kysely'
import type { AlertType, DeliveryState, DestinationKind } from '../../contract/alerts/shapes.ts'
import type { DeliveryFact } from '../../contract/alerts/events.ts'
import type { ActorKind } from '../../contract/roles.ts'
import type { Json } from '../json-column.ts'

/** Alert destinations and what is sent to them. */
export type AlertsTables = {
  alert_destination: AlertDestinationTable
  alert_delivery: AlertDeliveryTable
}

type AlertDestinationTable = {
  id: string
  workspace_id: string
  kind: DestinationKind
  name: string
  host: string
  url_sealed: Buffer | null
  secret_sealed: Buffer | null
  events: AlertType[]
  enabled: boolean
  created_at: Date
  added_by_kind: ActorKind
  added_by_name: string
  last_delivery_at: Date | null
  last_error: string | null
  removed_at: Date | null
  number: Generated<number>
}

type AlertDeliveryTable = {
  id: string
  workspace_id: string
  destination_id: string
  event_id: string
  type: AlertType | 'test'
  fact: Json<DeliveryFact>
  host: string
  state: DeliveryState
  created_at: Date
  /** Times that a process has taken it up. */
  attempts: Generated<number>
  /** Of these, those that a receiver may have seen. */
  begun: Generated<number>
  leased_by: string | null
  leased_until: Date | null
  sent_at: Date | null
  duration_ms: number | null
  status: number | null
  reason: string | null
}
