import { sql, type RawBuilder } from 'kysely'
import type { IncidentRow } from '../../contract/incidents/shapes.ts'
import { reportColumns, toReportSummary, type StoredReport } from './report-summary.ts'

/** As it is read: times as such, and the next report of those that are open. */
export type StoredIncident = Omit<IncidentRow, 'openedAt' | 'awareAt' | 'next'> & {
  openedAt: Date
  awareAt: Date
  next: StoredReport | null
}

/** The columns of a row of `incident` at `now`, as `StoredIncident`; each part is read by an index of its own. */
export function incidentColumns(incident: string, now: Date): RawBuilder<unknown> {
  const i = sql.ref(incident)
  return sql`
    ${i}.id, ${i}.reference, ${i}.kind, ${i}.title, ${i}.vuln_key as "vulnKey", ${i}.source, ${i}.listed_by as "listedBy",
    ${i}.severity, ${i}.is_exercise as "isExercise", ${i}.status, ${i}.opened_at as "openedAt", ${i}.aware_at as "awareAt",
    coalesce((
      select jsonb_agg(jsonb_build_object('id', y.id, 'name', y.name) order by lower(y.name), y.id)
      from incident_family f join family y on y.id = f.family_id
      where f.incident_id = ${i}.id
    ), '[]') as families,
    (
      select to_jsonb(n) from (
        select ${reportColumns('r')} from regime_report r
        where r.incident_id = ${i}.id and r.state = 'open'
        order by r.due_at, r.regime, r.report limit 1
      ) n
    ) as next,
    (select count(*) from regime_report r where r.incident_id = ${i}.id and r.state = 'open' and r.due_at < ${now}) as overdue,
    (
      select jsonb_build_object('value', d.value, 'state', d.state, 'recordedBy', d.recorded_by_name) from determination d
      where d.workspace_id = ${i}.workspace_id and d.incident_id = ${i}.id and d.scope = 'cra' and d.cycle = ${i}.cycle
      order by d.recorded_at desc, d.id desc limit 1
    ) as determination,
    array(
      select l.other::text from incident_link l where l.one = ${i}.id
      union all
      select l.one::text from incident_link l where l.other = ${i}.id
    ) as "sameAs",
    (select jsonb_build_object('id', p.id, 'name', p.name) from person p where p.id = ${i}.assignee) as assignee`
}

/** An incident as a row of a list at `now`. */
export function toIncidentRow(stored: StoredIncident, now: Date): IncidentRow {
  const { id, reference, kind, title, families, vulnKey, source, listedBy } = stored
  const { sameAs, severity, isExercise, status, overdue, determination, assignee } = stored
  return {
    id,
    reference,
    kind,
    title,
    families,
    vulnKey,
    sameAs,
    source,
    listedBy,
    severity,
    isExercise,
    status,
    openedAt: stored.openedAt.toISOString(),
    awareAt: stored.awareAt.toISOString(),
    next: stored.next === null ? null : toReportSummary(stored.next, now),
    overdue,
    determination,
    assignee,
  }
}
