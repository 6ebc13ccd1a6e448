import { sql, type RawBuilder } from 'kysely'

/**
 * Which reports are the same one to whoever files them: of one vulnerability, regime and stage; drills apart. The partition of a window over
 * reports of incidents.
 */
export function sameReport(incident: string, report: string): RawBuilder<unknown> {
  const [i, r] = [sql.ref(incident), sql.ref(report)]
  return sql`partition by ${i}.is_exercise, coalesce(${i}.vuln_key, ${i}.id::text), ${r}.regime, ${r}.report`
}
