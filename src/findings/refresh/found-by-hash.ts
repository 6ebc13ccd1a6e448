import { sql, type RawBuilder } from 'kysely'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { recordsOfHashes } from '../../vulndata/malware-digests.ts'

/** The components of an SBOM `s` that a malware record states a digest of, and these records `(identity_id, name, version, vulnerability_id, group_id)`. */
export function foundByHash(isSbom: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select c.identity_id, c.name, c.version, d.vulnerability_id, d.group_id
    from sbom s
    cross join ${componentsOfSbom('s')}
    cross join ${recordsOfHashes('c')} d
    where ${isSbom} and c.hashes <> '{}' and exists (select from malware_digest)`
}

/** Whether a component of the open finding `f` has a digest that a record of its group states. */
export const isFoundByHash = sql<boolean>`exists (
  select
  from component c
  join sbom s on s.family_id = c.family_id and s.version_id is not distinct from f.version_id and s.active
    and c.number = any(s.component_numbers)
  cross join ${recordsOfHashes('c')} d
  where c.family_id = f.family_id and c.identity_id = f.identity_id and d.group_id = f.group_id
)`

/** Whether a finding `(identity_id, group_id)` rests on digests that the record `v` of its group states: none of the group matches its identity exactly. */
export function restsOnDigests(finding: string): RawBuilder<boolean> {
  const f = sql.ref(finding)
  return sql<boolean>`(
    exists (select from malware_digest d where d.vulnerability_id = v.id)
    and not exists (
      select from identity_match m
      join vulnerability o on o.id = m.vulnerability_id and o.withdrawn_at is null
      where m.identity_id = ${f}.identity_id and o.group_id = ${f}.group_id and m.grade = 'exact'
    )
  )`
}
