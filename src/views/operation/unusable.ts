import { destinationSealedColumns } from '../../alerts/destinations/sealed-places.ts'
import { knownKeys } from '../../contract/known-keys.ts'
import type { Db } from '../../database/connection.ts'
import { inboxSealedColumns } from '../../disclosure/sealed-places.ts'
import { countUnopenable } from '../../originals/object-rows.ts'
import { countUnusable } from '../../platform/sealing/count-unusable.ts'
import type { SealedColumn } from '../../platform/sealing/reseal.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { linkSealedColumns } from '../../people/links/one-time-link.ts'
import { signInSealedColumns } from '../../people/factors/sealed-places.ts'
import { companySealedColumns } from '../../people/company-sign-in/company-settings.ts'

/** How many things of each kind hold a value whose encryption key is not here. */
export type Unusable = {
  unusableDestinations: number
  unusableReports: number
  unusableAuthenticators: number
  unusableClientSecrets: number
  unusableLinks: number
  unusableOriginals: number
}

/** What an operator is told of: the things, and what does not work until the key is back. */
const consequences: Record<keyof Unusable, readonly [what: string, until: string]> = {
  unusableDestinations: ['alert destinations', 'nothing can be sent to them, and none can be added'],
  unusableReports: ['vulnerability reports', 'they cannot be read, and none can be received'],
  unusableAuthenticators: [
    'authenticator apps',
    'their codes cannot be checked, so that their owners need a recovery code or a passkey',
  ],
  unusableClientSecrets: [
    'client secrets of single sign-on',
    'members of these workspaces cannot sign in with their company',
  ],
  unusableLinks: [
    'links of messages (invitations, resets of passwords, sign-ups, changes of an address)',
    'those that were sent still work, but their messages cannot be sent or shown, and no link can be made',
  ],
  unusableOriginals: ['originals in the object store', 'they cannot be read'],
}

/** Of every kind that a person misses when its key is gone. */
export async function countAllUnusable({ db, sealing }: { db: Db; sealing: Sealing }): Promise<Unusable> {
  const count = (columns: readonly SealedColumn[]) => countUnusable(db, sealing, columns)
  return {
    unusableDestinations: await count(destinationSealedColumns),
    unusableReports: await count(inboxSealedColumns.filter(({ table }) => table === 'inbox_report')),
    unusableAuthenticators: await count(signInSealedColumns),
    unusableClientSecrets: await count(companySealedColumns),
    unusableLinks: await count(linkSealedColumns),
    unusableOriginals: await countUnopenable(db, sealing),
  }
}

/** The kinds that there is one of, and what does not work until their keys are back. */
export function unusableKinds(unusable: Unusable): { count: number; what: string; until: string }[] {
  return knownKeys(consequences)
    .filter((kind) => unusable[kind] > 0)
    .map((kind) => {
      const [what, until] = consequences[kind]
      return { count: unusable[kind], what, until }
    })
}

/** A line for each kind that there is one of. */
export function unusableInWords(unusable: Unusable): string[] {
  return unusableKinds(unusable).map(
    ({ count, what, until }) =>
      `${count} ${what} were sealed with encryption keys that are not here: ${until}, ` +
      'until ENCRYPTION_KEYS (or the file encryption-keys) holds the keys of the database that was backed up.',
  )
}
