import { sql, type RawBuilder } from 'kysely'

/** Whether the verdict in force on a finding declares it not affected or fixed: it is counted apart and hidden by default. */
export function isSettled(finding: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(`${finding}.verdict`)} in ('not_affected', 'fixed'), false)`
}
