import { sql, type RawBuilder } from 'kysely'
import { idPrefixes } from '../nvd/compile-cve.ts'
import { euvdPrefixes } from '../euvd/compile-score.ts'
import { vulnrichmentPrefix } from '../vulnrichment/compile-cve-record.ts'

/**
 * Whose word on the severity of a vulnerability counts first: records on packages, then those who only score CVEs, in this order. By the
 * beginnings of their record ids (docs/decisions/0006-severities.md).
 */
const scorers = [idPrefixes.nvd, vulnrichmentPrefix, euvdPrefixes.record, euvdPrefixes.dump] as const

/** The lower, the sooner the record is heard. */
export function precedenceOf(recordId: string): number {
  return 1 + scorers.findIndex((prefix) => recordId.startsWith(prefix))
}

/** `precedenceOf` in SQL. */
export function precedenceIn(recordId: RawBuilder<unknown>): RawBuilder<number> {
  const cases = scorers.map(
    (prefix, place) => sql`when starts_with(${recordId}, ${sql.lit(prefix)}) then ${sql.lit(place + 1)}`,
  )
  return sql<number>`case ${sql.join(cases, sql` `)} else 0 end`
}
