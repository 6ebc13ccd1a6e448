import { sql, type RawBuilder } from 'kysely'

/** Whose metrics: one family in any state, or null: all families of the workspace that are in use. */
export type MetricsScope = { workspaceId: string; familyId: string | null }

/** The part of a year before today, by the calendar of a zone. */
export type MetricsPeriod = { firstDay: string; timeZone: string }

/** The common table expression `chosen (id)`: the families. Index family_name. */
export function chosenFamilies({ workspaceId, familyId }: MetricsScope): RawBuilder<unknown> {
  return sql`
    chosen as materialized (
      select id from family
      where workspace_id = ${workspaceId} and deleted_at is null
        and (case when ${familyId}::uuid is null then archived_at is null else id = ${familyId}::uuid end)
    )`
}

/** The instant at which the period begins. */
export function beginOf({ firstDay, timeZone }: MetricsPeriod): RawBuilder<Date> {
  return sql<Date>`(${firstDay}::date::timestamp at time zone ${timeZone}::text)`
}
