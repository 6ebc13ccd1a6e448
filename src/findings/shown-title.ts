import { sql, type RawBuilder } from 'kysely'
import { recordOfId } from '../contract/public/public-id.ts'

/** `vulnerabilityId` in SQL: the name that people see for a group of records with the title `titleId`. The pattern is for the few that need it. */
export function shownTitle(titleId: string): RawBuilder<string> {
  const id = sql.ref(titleId)
  return sql<string>`case when ${id} like '%_CVE-%' or ${id} like '%_EUVD-%' then regexp_replace(${id}, ${recordOfId}, '') else ${id} end`
}
