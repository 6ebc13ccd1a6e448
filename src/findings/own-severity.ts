import { sql, type RawBuilder } from 'kysely'
import type { Severity } from '../contract/sbom/shapes.ts'
import { gravestFirst } from '../vulndata/store/upstream-severity.ts'
import { precedenceIn } from '../vulndata/store/severity-precedence.ts'

/**
 * For a finding of group `g` on the identity `identityId`: the severity of the package records that match the identity, where those of the
 * group disagree, as `own` (left join); a distribution's notice counts only for its packages. Most groups are skipped. Indexes
 * identity_match_pkey, vulnerability_pkey.
 */
export function ownSeverity(identityId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (
    select v.severity, v.score, v.record_id as severity_source
    from identity_match m
    join vulnerability v on v.id = m.vulnerability_id
    where g.is_disputed_severity and m.identity_id = ${identityId} and v.group_id = g.id
      and v.withdrawn_at is null and v.severity <> 'unknown' and ${precedenceIn(sql`v.record_id`)} = 0
    order by ${gravestFirst(sql`v`)}
    limit 1
  ) own on true`
}

/** With `g` and `own`: the severity of a finding, its score, and the record both are from. */
export const findingSeverity = {
  severity: sql<Severity>`coalesce(own.severity, g.severity)`,
  score: sql<number | null>`case when own.severity is null then g.score else own.score end`,
  source: sql<string | null>`coalesce(own.severity_source, g.severity_source)`,
} as const
