import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { precedenceIn } from './severity-precedence.ts'

/**
 * CVEs of vulnerabilities that some component has, and whose severity only pure scorers of CVEs state: theirs may change or be added.
 * Indexes identity_match_vulnerability, alias_assertion_pkey.
 */
export async function selectUnscoredCves(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct a.other_id as id
    from vulnerability_group g
    join vulnerability v on v.group_id = g.id and v.withdrawn_at is null and v.class <> 'malware'
    join alias_assertion a on a.vulnerability_id = v.id and a.relation in ('self', 'alias', 'upstream')
    where (g.severity = 'unknown' or ${precedenceIn(sql`g.severity_source`)} > 0)
      and a.other_id ~ '^CVE-[0-9]{4}-[0-9]{4,19}$'
      and exists (
        select from vulnerability o join identity_match m on m.vulnerability_id = o.id where o.group_id = g.id
      )
    order by 1`.execute(db)
  return rows.map((row) => row.id)
}
