import { sql, type RawBuilder } from 'kysely'

/**
 * Which reports are the same to the person who files them: one vulnerability, regime and stage; drills separately. The partition of a window over
 * reports of incidents.
 */
export function sameReport(incident: string, report: string): RawBuilder<unknown> {
  const [i, r] = [sql.ref(incident), sql.ref(report)]
  return sql`partition by ${i}.is_exercise, ${vulnerabilityOf(incident)}, ${r}.regime, ${r}.report`
}

/**
 * What an incident is about, the same text for all that are: the first of the ids of open incidents whose vulnerabilities turned out to be one; without
 * any, the incident itself. Primary key of incident_link, index incident_link_other.
 */
export function vulnerabilityOf(incident: string): RawBuilder<string> {
  const i = sql.ref(incident)
  return sql<string>`coalesce(least(${i}.vuln_key, (
    select min(o.vuln_key) from incident_link l
    join incident o on o.id = case when l.one = ${i}.id then l.other else l.one end and o.status = 'open'
    where l.one = ${i}.id or l.other = ${i}.id
  )), ${i}.id::text)`
}
