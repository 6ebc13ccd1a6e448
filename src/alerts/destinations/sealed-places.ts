import type { SealedPlace } from '../../platform/sealing/envelope.ts'
import type { SealedColumn } from '../../platform/sealing/reseal.ts'

/** The purpose of each sealed value of a destination: it opens for no other. */
const purposes = { url: 'destination url', secret: 'destination secret' } as const

type DestinationKey = { workspaceId: string; id: string }

export function urlPlace({ workspaceId, id }: DestinationKey): SealedPlace {
  return { purpose: purposes.url, workspaceId, rowId: id }
}

export function secretPlace({ workspaceId, id }: DestinationKey): SealedPlace {
  return { purpose: purposes.secret, workspaceId, rowId: id }
}

export const destinationSealedColumns: readonly SealedColumn[] = [
  {
    table: 'alert_destination',
    column: 'url_sealed',
    purpose: purposes.url,
    replace: (db, { id, from, to }) =>
      db
        .updateTable('alert_destination')
        .set({ url_sealed: to })
        .where('id', '=', id)
        .where('url_sealed', '=', from)
        .execute(),
  },
  {
    table: 'alert_destination',
    column: 'secret_sealed',
    purpose: purposes.secret,
    replace: (db, { id, from, to }) =>
      db
        .updateTable('alert_destination')
        .set({ secret_sealed: to })
        .where('id', '=', id)
        .where('secret_sealed', '=', from)
        .execute(),
  },
]
