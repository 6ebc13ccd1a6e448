import { sql } from 'kysely'
import type { Page } from '../../contract/page.ts'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { ReviewRow } from '../../contract/incidents/waiting.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { shownTitle } from '../../findings/shown-title.ts'
import { findingSeverity, ownSeverity } from '../../findings/own-severity.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { reviewCandidates } from './review-candidates.ts'

const shape = { list: 'incident-review', kinds: ['time', 'uuid'] } as const

type Query = {
  workspaceId: string
  family?: string | undefined
  dismissed?: 'yes' | undefined
  cursor?: string | undefined
}

type Stored = {
  id: string
  total: number
  name_of: string
  summary: string
  is_malware: boolean
  severity: Severity
  listed_by: Catalogue[]
  family_id: string
  family: string
  version: string | null
  name: string
  component_version: string | null
  purl: string | null
  first_seen_at: Date
  dismissed_at: Date | null
  dismissed_by_name: string | null
  reason: string | null
}

/** What a person has to judge, or what was dismissed, the newest first, 100 a page. Codes: `invalid_request` (cursor). */
export async function listReview(
  db: Db,
  { workspaceId, family, dismissed, cursor }: Query,
): Promise<Page<ReviewRow>> {
  const [time, id] = cursor === undefined ? [] : decodeCursor(shape, cursor)
  const { rows } = await sql<Stored>`
    with ${reviewCandidates(workspaceId, family)},
    asked as materialized (
      select * from candidate where dismissed_at is ${dismissed === undefined ? sql`null` : sql`not null`}
    ),
    page as (
      select * from asked
      ${time === undefined ? sql`` : sql`where (first_seen_at, id) < (${time}::timestamptz, ${id}::uuid)`}
      order by first_seen_at desc, id desc
      limit ${askedRows}
    )
    select s.id, case when g.title_id like 'CVE-%' then g.title_id else coalesce(${listedCve}, ${shownTitle('g.title_id')}) end as name_of, g.summary, g.is_malware, ${findingSeverity.severity} as severity, s.listed_by, s.family_id, s.family,
      v.name as version, coalesce(c.name, i.subject) as name, coalesce(c.version, nullif(i.version, '')) as component_version,
      c.purl, s.first_seen_at, s.dismissed_at, s.dismissed_by_name, s.reason, (select count(*) from asked) as total
    from page s
    join vulnerability_group g on g.id = s.group_id
    join component_identity i on i.id = s.identity_id
    left join product_version v on v.id = s.version_id
    left join ${ownSeverity(sql.ref('s.identity_id'))}
    left join lateral (
      select x.name, x.version, x.purl from component x
      where x.identity_id = s.identity_id and x.family_id = s.family_id and x.workspace_id = ${workspaceId}
      order by x.number limit 1
    ) c on true
    order by s.first_seen_at desc, s.id desc`.execute(db)
  const { shown, nextCursor } = cutPage(rows, {
    shape,
    position: (row) => [row.first_seen_at.toISOString(), row.id],
  })
  return { rows: shown.map(toRow), nextCursor, total: rows[0]?.total ?? 0 }
}

/** The first CVE of a group `g` that a catalogue lists. */
const listedCve = sql`(
      select min(e.cve_id)
      from vulnerability v
      join alias_assertion a on a.vulnerability_id = v.id and a.relation in ('self', 'alias', 'upstream')
      join exploited e on e.cve_id = a.other_id and e.removed_at is null
      where v.group_id = g.id and v.withdrawn_at is null
    )`

function toRow(row: Stored): ReviewRow {
  const { dismissed_at: at, dismissed_by_name: by, reason } = row
  return {
    findingId: row.id,
    vulnerability: row.name_of,
    summary: row.summary,
    malware: row.is_malware,
    severity: row.severity,
    listedBy: row.listed_by,
    family: { id: row.family_id, name: row.family },
    version: row.version,
    component: { name: row.name, version: row.component_version, purl: row.purl },
    firstSeenAt: row.first_seen_at.toISOString(),
    dismissed: at === null ? null : { by: by ?? '', at: at.toISOString(), reason: reason ?? '' },
  }
}
