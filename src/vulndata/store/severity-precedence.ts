import { sql, type RawBuilder } from 'kysely'
import { sources } from '../sources/all.ts'
import type { RecordKind } from '../sources/source.ts'

type Scorer = NonNullable<RecordKind['scorer']>

/**
 * Whose severity of a vulnerability takes precedence: records on packages, then those that only score CVEs, in the order of the list
 * of sources. By the beginnings of their record ids (docs/decisions/0006-severities.md).
 */
const scorers: readonly { prefix: string; scorer: Scorer }[] = sources.flatMap(({ records }) => {
  const scorer = records?.scorer
  return scorer === undefined ? [] : (records?.prefixes ?? []).map((prefix) => ({ prefix, scorer }))
})

/** Who scores CVEs under such a record id; undefined for a record on packages. */
export function scorerOf(recordId: string): Scorer | undefined {
  return scorers.find(({ prefix }) => recordId.startsWith(prefix))?.scorer
}

/** The lower, the higher the record's precedence. */
export function precedenceOf(recordId: string): number {
  return 1 + scorers.findIndex(({ prefix }) => recordId.startsWith(prefix))
}

/** `precedenceOf` in SQL. */
export function precedenceIn(recordId: RawBuilder<unknown>): RawBuilder<number> {
  const cases = scorers.map(
    ({ prefix }, place) => sql`when starts_with(${recordId}, ${sql.lit(prefix)}) then ${sql.lit(place + 1)}`,
  )
  return sql<number>`case ${sql.join(cases, sql` `)} else 0 end`
}
