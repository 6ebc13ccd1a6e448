import { sql } from 'kysely'
import type {
  AdvisoryList,
  AdvisoryRow,
  AdvisorySeverity,
  DraftState,
  Tlp,
} from '../../contract/advisories/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { feedAddress, namespaceOf, publisherOf } from '../feed/publisher.ts'
import { countOutdated } from '../publish/outdated.ts'

const cursorShape = { list: 'advisories', kinds: ['time', 'uuid'] } as const

type Stored = {
  id: string
  tracking_id: string
  created_at: Date
  state: DraftState | null
  edited_at: Date | null
  edited_by_name: string | null
  number: string | null
  tlp: Tlp | null
  released_at: Date | null
  /** Of the draft, else of what is published. */
  title: string
  shown_tlp: Tlp | null
  severity: AdvisorySeverity | null
  vulnerabilities: string[]
}

type Listing = {
  workspaceId: string
  cursor: string | undefined
  vulnerability: string | undefined
  baseUrl: string
}

/** The advisories of a workspace, the newest first; `vulnerability`: those that name it. Codes: `invalid_request` (cursor). */
export async function listAdvisories(db: Db, listing: Listing): Promise<AdvisoryList> {
  const { workspaceId, cursor, vulnerability, baseUrl } = listing
  const position = cursor === undefined ? undefined : decodeCursor(cursorShape, cursor)
  const after =
    position === undefined
      ? sql`true`
      : sql`(a.created_at, a.id) < (${position[0]}::timestamptz, ${position[1]}::uuid)`
  const named = vulnerability === undefined ? sql`true` : names(vulnerability)
  const { rows } = await sql<Stored & { total: number }>`
    with named as materialized (
      select a.id, a.tracking_id, a.created_at, a.current_ordinal
      from advisory a
      left join advisory_draft d on d.advisory_id = a.id
      left join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
      where a.workspace_id = ${workspaceId} and ${named}
    ), shown as materialized (
      select a.* from named a where ${after} order by a.created_at desc, a.id desc limit ${askedRows}
    )
    select a.id, a.tracking_id, a.created_at, d.state, d.edited_at, d.edited_by_name, v.number, v.tlp, v.released_at, c.*,
      (select count(*) from named) as total
    from shown a
    left join advisory_draft d on d.advisory_id = a.id
    left join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    left join lateral (
      select btrim(t.content ->> 'title', E' \\t\\r\\n') as title, t.content ->> 'tlp' as shown_tlp, t.content ->> 'severity' as severity,
        array(
          select coalesce(nullif(btrim(one ->> 'cve'), ''), one #>> '{ids,0,text}', '')
          from jsonb_array_elements(t.content -> 'vulnerabilities') with ordinality as all_of (one, place)
          order by place
        ) as vulnerabilities
      from (select coalesce(d.content, v.content) as content offset 0) t
    ) c on true
    order by a.created_at desc, a.id desc`.execute(db)
  const { shown, nextCursor } = cutPage(rows, {
    shape: cursorShape,
    position: (row) => [row.created_at.toISOString(), row.id],
  })
  const publisher = await publisherOf(db, workspaceId)
  return {
    rows: shown.map(toRow),
    nextCursor,
    total: rows[0]?.total ?? 0,
    outdated: await countOutdated(db, { publisher, baseUrl }),
    feed: {
      metadataUrl: `${feedAddress(publisher.slug, baseUrl)}/provider-metadata.json`,
      pagesUrl: `${baseUrl}/disclose/${publisher.slug}/advisories`,
      isEncrypted: baseUrl.startsWith('https://'),
      namespace: namespaceOf(publisher, baseUrl),
    },
  }
}

/** Whether draft or published version name a vulnerability, as its CVE or another id. */
function names(vulnerability: string) {
  const cve = JSON.stringify({ vulnerabilities: [{ cve: vulnerability }] })
  const other = JSON.stringify({ vulnerabilities: [{ ids: [{ text: vulnerability }] }] })
  return sql`(d.content @> ${cve}::jsonb or d.content @> ${other}::jsonb or v.content @> ${cve}::jsonb or v.content @> ${other}::jsonb)`
}

function toRow(row: Stored): AdvisoryRow {
  return {
    id: row.id,
    trackingId: row.tracking_id,
    title: row.title,
    tlp: row.shown_tlp ?? 'WHITE',
    severity: row.severity,
    published: publishedOf(row),
    draft: draftOf(row),
    vulnerabilities: row.vulnerabilities,
  }
}

function publishedOf({ number, tlp, released_at: releasedAt }: Stored): AdvisoryRow['published'] {
  if (number === null || tlp === null || releasedAt === null) return null
  return { number, tlp, releasedAt: releasedAt.toISOString() }
}

function draftOf({ state, edited_at: editedAt, edited_by_name: by }: Stored): AdvisoryRow['draft'] {
  if (state === null || editedAt === null || by === null) return null
  return { state, editedAt: editedAt.toISOString(), editedBy: by }
}
