import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../database/connection.ts'

/** Whether the range `r` is on a product named by CPE. */
export const onProduct = (r: string): RawBuilder<boolean> =>
  sql`starts_with(${sql.ref(`${r}.package_key`)}, 'cpe' || chr(31))`

/** Removes ranges of records; returns the package keys they were on. Index affected_range_vulnerability. */
export async function deleteRanges(
  tx: Tx,
  vulnerabilityIds: readonly number[],
  isMeant: (r: string) => RawBuilder<boolean> = () => sql`true`,
): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    with gone as (
      delete from affected_range r
      where r.vulnerability_id = any(${vulnerabilityIds}::bigint[]) and ${isMeant('r')}
      returning r.package_key
    )
    select distinct package_key from gone`.execute(tx)
  return rows.map((row) => row.package_key)
}

/** The package keys of records in their stored ranges. */
export async function selectPackageKeys(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ package_key: string }>`
    select distinct package_key from affected_range
    where vulnerability_id = any(${vulnerabilityIds}::bigint[])`.execute(tx)
  return rows.map((row) => row.package_key)
}
