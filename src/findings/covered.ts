import { sql, type RawBuilder } from 'kysely'

/**
 * `covered (family_id, group_id)`: the families and groups with an open incident, drills excluded. Indexes
 * incident_family_open, alias_assertion_other.
 */
export function coveredIn(workspaceId: string): RawBuilder<unknown> {
  return sql`
    covered as materialized (
      select distinct y.family_id, v.group_id
      from incident_family y
      join alias_assertion a on a.other_id = y.vuln_key and a.relation in ('self', 'alias', 'upstream')
      join vulnerability v on v.id = a.vulnerability_id
      where y.workspace_id = ${workspaceId} and y.is_open and not y.is_exercise and y.vuln_key is not null
    )`
}

/** Whether an open incident is about the family and vulnerability of a finding. Needs `covered`. */
export function isCovered(finding: string): RawBuilder<boolean> {
  const f = sql.ref(finding)
  return sql<boolean>`exists (
  select from covered o where o.family_id = ${f}.family_id and o.group_id = ${f}.group_id
)`
}
