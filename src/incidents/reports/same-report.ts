import { sql } from 'kysely'

/**
 * Which reports are the same one to whoever files them: of one vulnerability, regime and stage; drills apart. The partition of a window over
 * reports `r` of incidents `i`.
 */
export const sameReport = sql`partition by i.is_exercise, coalesce(i.vuln_key, i.id::text), r.regime, r.report`
