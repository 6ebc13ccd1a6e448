import { sql } from 'kysely'
import type { FindingIds, FindingPage, FindingSort } from '../../contract/findings/lists.ts'
import { decisionLimits, type VerdictFilter } from '../../contract/findings/verdict.ts'
import type { Db } from '../../database/connection.ts'
import { selectSlot, type SbomKey } from '../version-slot.ts'
import { askedRows, cutPage, pageSize, type Nulls } from '../../platform/cursor.ts'
import { epssOfGroup } from '../../vulndata/reads/epss-of-group.ts'
import {
  bandColumn,
  classOfFinding,
  findingsOfSbom,
  findingCursor,
  followsCursor,
  hasVerdict,
  matchesFilters,
  rankedFindings,
  type FindingFilters,
} from './finding-query.ts'
import { comesThrough, selectThrough, type AskedDependencies } from './direct-dependencies.ts'
import { distinctVulnerabilities } from './distinct-vulnerabilities.ts'
import { toFindingRows, type StoredFinding } from './finding-row.ts'

export type FindingQuery = SbomKey &
  FindingFilters & {
    /** Default: `open`. */
    verdict?: VerdictFilter | undefined
    /** Default: exploited ones first, then by severity, then by EPSS. */
    sort?: FindingSort | undefined
    cursor?: string | undefined
    /** Default: not known, so that no finding says what it comes in through. */
    dependencies?: AskedDependencies | undefined
  }

type StoredTotals = Pick<FindingPage, 'total' | 'hidden' | 'exploited' | 'vulnerabilities'>

/**
 * The open findings of an SBOM: those of its version on the components it has, 100 a page. A replaced SBOM shows what it
 * shares with the one that took its place. Codes: `invalid_request` (cursor), `not_found` (`through`).
 */
export async function listFindings(db: Db, query: FindingQuery): Promise<FindingPage> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) return { rows: [], nextCursor: null, through: null, ...nothingFound }
  const sort = query.sort ?? 'urgency'
  const { rows } = await sql<(StoredFinding | Nulls<StoredFinding>) & StoredTotals>`
    with ${findingsOfSbom(query.sbomId, slot)},
    found as materialized (
      select f.*, ${hasVerdict(query.verdict ?? 'open')} as is_shown, ${bandColumn(sort)}
      from open_finding f
      where ${matchesFilters(query)} and ${comesThrough(query.dependencies)}
    ),
    ${rankedFindings({ sort, cursor: query.cursor, rows: pageSize })},
    totals as (
      select count(*) filter (where is_shown) as total, count(*) filter (where not is_shown) as hidden,
        count(*) filter (where is_shown and exploited_by <> '{}') as exploited,
        ${distinctVulnerabilities(sql`select distinct group_id from found where is_shown`)} as vulnerabilities
      from found
    )
    select f.*, e.score as epss_score, e.percentile,
      case when f.id is not null then ${classOfFinding('f')} end as class, t.*
    from totals t
    left join (
      select * from ranked
      where ${followsCursor(sort, query.cursor)}
      order by sort_1, sort_2, sort_3, sort_4, id
      limit ${askedRows}
    ) f on true
    left join lateral ${epssOfGroup(sql.ref('f.group_id'))} e on true
    order by sort_1, sort_2, sort_3, sort_4, id`.execute(db)
  const found = rows.filter((row) => row.id !== null)
  const { shown, nextCursor } = cutPage(found, {
    shape: findingCursor(sort),
    position: (row) => [row.sort_1, row.sort_2, row.sort_3, row.sort_4, row.id],
  })
  return {
    rows: await toFindingRows(db, shown, query.dependencies?.graph ?? null),
    nextCursor,
    through: await selectThrough(db, query.dependencies),
    ...totalsOf(rows[0]),
  }
}

const nothingFound: StoredTotals = { total: 0, hidden: 0, exploited: 0, vulnerabilities: 0 }

function totalsOf({ total, hidden, exploited, vulnerabilities } = nothingFound): StoredTotals {
  return { total, hidden, exploited, vulnerabilities }
}

/** As many findings as can be judged at once, of all that fit a query, the exploited ones first. */
export async function selectFindingIds(
  db: Db,
  query: Omit<FindingQuery, 'sort' | 'cursor'>,
): Promise<FindingIds> {
  const slot = await selectSlot(db, query)
  if (slot === undefined) return { ids: [], exploited: [] }
  const { rows } = await sql<{ id: string; is_exploited: boolean }>`
    with ${findingsOfSbom(query.sbomId, slot)}
    select f.id, f.exploited_by <> '{}' as is_exploited
    from open_finding f
    where ${matchesFilters(query)} and ${comesThrough(query.dependencies)} and ${hasVerdict(query.verdict ?? 'open')}
    order by is_exploited desc, f.id
    limit ${decisionLimits.findings}`.execute(db)
  return {
    ids: rows.map(({ id }) => id),
    exploited: rows.filter(({ is_exploited }) => is_exploited).map(({ id }) => id),
  }
}
