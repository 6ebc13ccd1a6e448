import { sql, type RawBuilder } from 'kysely'

/** Whether a component of the open finding `f` has a digest that a record of its group states. */
export const isFoundByHash = sql<boolean>`exists (
  select
  from malware_digest d
  join vulnerability v on v.id = d.vulnerability_id and v.withdrawn_at is null
  join component c on c.family_id = f.family_id and c.identity_id = f.identity_id and d.hash = any(c.hashes)
  join sbom s on s.family_id = f.family_id and s.version_id is not distinct from f.version_id and s.active
    and c.number = any(s.component_numbers)
  where v.group_id = f.group_id
)`

/** Whether a finding `(identity_id, group_id)` rests on digests that the record `v` of its group states: none of the group names its identity. */
export function restsOnDigests(finding: string): RawBuilder<boolean> {
  const f = sql.ref(finding)
  return sql<boolean>`(
    exists (select from malware_digest d where d.vulnerability_id = v.id)
    and not exists (
      select from identity_match m
      join vulnerability o on o.id = m.vulnerability_id and o.withdrawn_at is null
      where m.identity_id = ${f}.identity_id and o.group_id = ${f}.group_id
    )
  )`
}
