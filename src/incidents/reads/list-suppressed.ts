import { sql } from 'kysely'
import type { Page } from '../../contract/page.ts'
import type { SuppressedRow } from '../../contract/incidents/waiting.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { spellId } from '../../findings/reads/find-vulnerability.ts'

const shape = { list: 'suppressed-openings', kinds: ['time', 'uuid'] } as const

type Query = {
  workspaceId: string
  family?: string | undefined
  vulnerability?: string | undefined
  cursor?: string | undefined
}

type Stored = Omit<SuppressedRow, 'since'> & { since: Date; total: number }

/** What uploaded documents suppress now in families in use, the newest first, 100 a page. Index suppressed_opening_subject. Codes: `invalid_request` (cursor). */
export async function listSuppressed(
  db: Db,
  { workspaceId, family, vulnerability, cursor }: Query,
): Promise<Page<SuppressedRow>> {
  const [time, id] = cursor === undefined ? [] : decodeCursor(shape, cursor)
  const { rows } = await sql<Stored>`
    with held as materialized (
      select s.*, y.name as family from suppressed_opening s
      join family y on y.workspace_id = s.workspace_id and y.id = s.family_id and y.archived_at is null and y.deleted_at is null
      where s.workspace_id = ${workspaceId} and s.ended_at is null
        ${family === undefined ? sql`` : sql`and s.family_id = ${family}`}
        ${vulnerability === undefined ? sql`` : sql`and s.vuln_key = ${spellId(vulnerability)}`}
    )
    select h.id, h.vuln_key as "vulnKey", jsonb_build_object('id', h.family_id, 'name', h.family) as family, h.version,
      jsonb_build_object('name', h.component, 'version', h.component_version) as component, h.verdict,
      h.document_id as "documentId", h.since, (select count(*) from held) as total
    from held h
    ${time === undefined ? sql`` : sql`where (h.since, h.id) < (${time}::timestamptz, ${id}::uuid)`}
    order by h.since desc, h.id desc
    limit ${askedRows}`.execute(db)
  const { shown, nextCursor } = cutPage(rows, {
    shape,
    position: (row) => [row.since.toISOString(), row.id],
  })
  return {
    rows: shown.map(({ total: _total, since, ...row }) => ({ ...row, since: since.toISOString() })),
    nextCursor,
    total: rows[0]?.total ?? 0,
  }
}
