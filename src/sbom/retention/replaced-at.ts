import { sql, type RawBuilder } from 'kysely'

/**
 * When the SBOM of `sbom` was replaced, by the one of `successor`. For those replaced before that was stored, it is the arrival of the successor;
 * never before its own.
 */
export function replacedAt(sbom: string, successor: string): RawBuilder<Date> {
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`)
  return sql<Date>`greatest(${column(sbom, 'replaced_at')}, ${column(sbom, 'received_at')}, ${column(successor, 'received_at')})`
}
