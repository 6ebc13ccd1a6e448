import { sql, type RawBuilder } from 'kysely'

/**
 * When the SBOM of `sbom` was replaced, by the one of `successor`. Of those that were replaced before that was kept, the arrival of the successor says
 * so; never before its own.
 */
export function replacedAt(sbom: string, successor: string): RawBuilder<Date> {
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`)
  return sql<Date>`greatest(${column(sbom, 'replaced_at')}, ${column(sbom, 'received_at')}, ${column(successor, 'received_at')})`
}
