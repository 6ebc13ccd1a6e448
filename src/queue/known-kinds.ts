import { sql, type RawBuilder } from 'kysely'
import { knownKeys } from '../contract/known-keys.ts'
import { jobKinds } from '../jobs.ts'

const kinds = sql.join(knownKeys(jobKinds).map((kind) => sql.lit(kind)))

/** A newer release that runs beside this one during an upgrade may have kinds of its own. Only it can do them, or say that they were given up. */
export function isOfKnownKind(kind: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${kind} in (${kinds})`
}
