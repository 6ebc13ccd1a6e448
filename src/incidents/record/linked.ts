import { sql, type RawBuilder } from 'kysely'

/**
 * Whether the incident `i` is about the vulnerability of another one: under the same id, or because both turned out to be one. Its workspace is
 * the caller's condition. Primary key of incident_link, index incident_link_other.
 */
export function isOnSameVulnerability(other: { id: string; vulnKey: string | null }): RawBuilder<boolean> {
  return sql<boolean>`(i.vuln_key = ${other.vulnKey} or exists (
    select from incident_link l where l.one = i.id and l.other = ${other.id}::uuid
  ) or exists (
    select from incident_link l where l.other = i.id and l.one = ${other.id}::uuid
  ))`
}
