import { sql, type RawBuilder } from 'kysely'

/**
 * Which reports are the same to the person who files them: one vulnerability, regime and stage; drills separately. The partition of a window over
 * reports of incidents.
 */
export function sameReport(incident: string, report: string): RawBuilder<unknown> {
  const [i, r] = [sql.ref(incident), sql.ref(report)]
  return sql`partition by ${i}.is_exercise, coalesce(${i}.vuln_key, ${i}.id::text), ${r}.regime, ${r}.report`
}
