import { sql, type RawBuilder } from 'kysely'
import { severities, type Severity } from '../../contract/severities.ts'
import type { Tx } from '../../database/connection.ts'
import { byIndexes } from './by-indexes.ts'
import { precedenceIn } from './severity-precedence.ts'

/** A vulnerability's severity according to one record. */
export type StatedSeverity = { recordId: string; severity: Severity; score: number | null }

/** A record on several CVEs names them as aliases that do not bridge. */
const namesUpstream = sql<boolean>`(u.relation = 'upstream' or (u.relation = 'alias' and not u.bridges))`

/** Of rows with a severity and a score, as an order: of equals first the one whose id most readers know. */
export const gravestFirst = (row: RawBuilder<unknown>) =>
  sql`array_position(${sql.lit(`{${severities.join(',')}}`)}::text[], ${row}.severity), ${row}.score desc nulls last,
    not starts_with(${row}.record_id, 'CVE-'), not starts_with(${row}.record_id, 'GHSA-'), ${row}.record_id`

/**
 * For a record that states no severity: the most severe of the vulnerabilities it is about, each as its first scorer has it, as JSON;
 * null when there is none. Distributions leave severities out of their notices more often than not. Indexes alias_assertion_pkey,
 * alias_assertion_other.
 */
export function gravestUpstream(record: string): RawBuilder<StatedSeverity | null> {
  return sql<StatedSeverity | null>`(
  select jsonb_build_object('recordId', s.record_id, 'severity', s.severity, 'score', s.score)
  from (
    select distinct on (u.other_id) r.record_id, r.severity, r.score
    from alias_assertion u
    join alias_assertion n on n.other_id = u.other_id and n.bridges and n.relation in ('self', 'alias')
    join vulnerability r on r.id = n.vulnerability_id and r.withdrawn_at is null and r.severity <> 'unknown'
    where ${sql.ref(`${record}.severity`)} = 'unknown' and u.vulnerability_id = ${sql.ref(`${record}.id`)} and ${namesUpstream}
    order by u.other_id, ${precedenceIn(sql`r.record_id`)}, ${gravestFirst(sql`r`)}
  ) s
  order by ${gravestFirst(sql`s`)}
  limit 1
)`
}

/**
 * Records without a severity of their own on vulnerabilities that these records describe: theirs may have changed. While a whole mirror is
 * imported the server has no statistics on these tables; `offset` makes it look up names one by one (it scanned all of them for each batch),
 * `byIndexes` by index. Indexes alias_assertion_pkey and alias_assertion_other.
 */
export async function selectBorrowers(tx: Tx, vulnerabilityIds: readonly number[]): Promise<number[]> {
  if (vulnerabilityIds.length === 0) return []
  const borrowers = sql<{ id: number }>`
    select distinct v.id
    from unnest(${vulnerabilityIds}::bigint[]) as asked (id)
    cross join lateral (
      select n.other_id from alias_assertion n
      where n.vulnerability_id = asked.id and n.relation in ('self', 'alias') offset 0
    ) as name
    cross join lateral (
      select u.vulnerability_id from alias_assertion u where u.other_id = name.other_id and ${namesUpstream} offset 0
    ) as borrower
    cross join lateral (
      select b.id from vulnerability b where b.id = borrower.vulnerability_id and b.severity = 'unknown' offset 0
    ) as v`
  const { rows } = await byIndexes(tx, () => borrowers.execute(tx))
  return rows.map((row) => row.id)
}
