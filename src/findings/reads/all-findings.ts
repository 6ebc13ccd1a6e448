import { sql } from 'kysely'
import type { FindingRow } from '../../contract/findings/lists.ts'
import type { Tx } from '../../database/connection.ts'
import { selectSlot } from '../version-slot.ts'
import { readAll } from '../../platform/postgres/snapshot.ts'
import { refuseTooMany } from '../../formats/table-file/max-rows.ts'
import {
  bandColumn,
  classOfFinding,
  findingsOfSbom,
  hasVerdict,
  matchesFilters,
  rankedFindings,
} from './finding-query.ts'
import { comesThrough } from './direct-dependencies.ts'
import { toFindingRows, type StoredFinding } from './finding-row.ts'
import type { FindingQuery } from './list-findings.ts'

/** All that `listFindings` shows, in its order, for a file. Codes: `invalid_request` when there are more than a file may have. */
export async function* allFindings(
  tx: Tx,
  query: Omit<FindingQuery, 'cursor'>,
): AsyncGenerator<FindingRow[]> {
  const slot = await selectSlot(tx, query)
  if (slot === undefined) return
  const sort = query.sort ?? 'urgency'
  const statement = sql<StoredFinding & { total: number }>`
    with ${findingsOfSbom(query.sbomId, slot)},
    found as materialized (
      select f.*, ${hasVerdict(query.verdict ?? 'open')} as is_shown, ${bandColumn(sort)}
      from open_finding f
      where ${matchesFilters(query)} and ${comesThrough(query.dependencies)}
    ),
    ${rankedFindings({ sort, cursor: undefined, rows: null })}
    select f.*, f.epss as epss_score, f.epss_percentile as percentile, ${classOfFinding('f')} as class,
      (select count(*) from found where is_shown) as total
    from ranked f
    order by sort_1, sort_2, sort_3, sort_4, id`
  for await (const stored of readAll(tx, statement)) {
    refuseTooMany(stored[0]?.total ?? 0)
    yield await toFindingRows(tx, stored, query.dependencies?.graph ?? null)
  }
}
