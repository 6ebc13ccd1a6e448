import { sql, type RawBuilder } from 'kysely'

/**
 * Whether the report of a warning is no longer open. The id of such an event is that of the report; an event about no report is never
 * answered.
 */
export function isAnswered(type: RawBuilder<string>, eventId: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`(
    ${type} = 'deadline.warning'
    and exists (select from regime_report r where r.id = ${eventId} and r.state <> 'open')
  )`
}
