import type { SealedPlace } from '../../platform/sealing/envelope.ts'
import type { SealedColumn } from '../../platform/sealing/reseal.ts'

/** The purpose of each sealed value of an account: it opens for no other. */
const purposes = { app: 'authenticator secret' } as const

/** Bound to a person instead of a workspace: it opens for nobody else. */
export function appSecretPlace({ personId, id }: { personId: string; id: string }): SealedPlace {
  return { purpose: purposes.app, workspaceId: personId, rowId: id }
}

export const signInSealedColumns: readonly SealedColumn[] = [
  {
    table: 'authenticator',
    column: 'secret_sealed',
    owner: 'person_id',
    purpose: purposes.app,
    replace: (db, { id, from, to }) =>
      db
        .updateTable('authenticator')
        .set({ secret_sealed: to })
        .where('id', '=', id)
        .where('secret_sealed', '=', from)
        .execute(),
  },
]
