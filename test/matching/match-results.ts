import type { Db } from '../../src/database/connection.ts'
import type { RecordFacts } from '../support/records.ts'

/** A record on an npm package: each range from its first version up to, but excluding, its fix. */
export const semver = (
  name: string,
  ranges: readonly [string, string | null][],
): Pick<RecordFacts, 'affected'> => ({
  affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges }],
})

/** The matches of an identity, as `RECORD grade reason`. */
export async function resultsOf(db: Db, identityId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_match as m')
    .innerJoin('vulnerability as v', 'v.id', 'm.vulnerability_id')
    .select(['v.record_id', 'm.grade', 'm.grade_reason'])
    .where('m.identity_id', '=', identityId)
    .orderBy('v.record_id')
    .execute()
  return rows.map((row) =>
    [row.record_id, row.grade, row.grade_reason].filter((word) => word !== null).join(' '),
  )
}
