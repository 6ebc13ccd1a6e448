import { sql } from 'kysely'
import type { RetentionRule } from '../../queue/schedule/retention.ts'
import { isLockFree } from '../ledger/import-lock.ts'
import { goneHash } from '../records/record-rows.ts'

const keptDays = 90

/**
 * Vulnerabilities whose records are all gone from their sources, and that nothing names: no match, no finding, no incident, decision, VEX
 * statement or list of exploited vulnerabilities. What a source still publishes stays, withdrawn or not: the next import would bring it
 * back, and the page of its id says what became of it. Index vulnerability_set_apart.
 */
export const vulndataRetention: readonly RetentionRule[] = [
  {
    what: 'vulnerability records that nothing names',
    kept: '90 days after their source has them no longer',
    over: (now) => {
      const since = sql`${now}::timestamptz - make_interval(days => ${sql.lit(keptDays)})`
      return sql`
        select g.id::text as id from vulnerability_group g
        where g.id in (select v.group_id from vulnerability v where v.withdrawn_at <= ${since} and v.content_hash = ${goneHash})
          and not exists (
            select from vulnerability v
            where v.group_id = g.id and (v.content_hash <> ${goneHash} or v.withdrawn_at is null or v.withdrawn_at > ${since})
          )
          and not exists (select from finding f where f.group_id = g.id)
          and not exists (select from incident_affected a where a.group_id = g.id)
          and not exists (select from dismissed_match d where d.group_id = g.id)
          and not exists (select from suppressed_opening s where s.group_id = g.id)
          and not exists (
            select from vulnerability v join identity_match m on m.vulnerability_id = v.id where v.group_id = g.id
          )
          and not exists (
            select from vulnerability v
            join alias_assertion a on a.vulnerability_id = v.id
            join (
              select vuln_key from incident
              union all select unnest(aliases) from incident
              union all select vulnerability_id from verdict_decision
              union all select vulnerability_id from vex_claim
              union all select cve_id from exploited
              union all select euvd_id from exploited
            ) named (id) on named.id = a.other_id
            where v.group_id = g.id
          )`
    },
    remove: async (tx, ids) => {
      const gone = sql`select v.id from vulnerability v where v.group_id = any(${ids}::bigint[])`
      await sql`delete from affected_range where vulnerability_id in (${gone})`.execute(tx)
      await sql`delete from malware_digest where vulnerability_id in (${gone})`.execute(tx)
      await sql`delete from alias_assertion where vulnerability_id in (${gone})`.execute(tx)
      await sql`delete from vulnerability where group_id = any(${ids}::bigint[])`.execute(tx)
      await sql`delete from vulnerability_group where id = any(${ids}::bigint[])`.execute(tx)
    },
    isTurn: (tx) => isLockFree(tx, 'records'),
  },
]
