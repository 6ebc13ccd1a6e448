import type { Selectable } from 'kysely'
import type { SbomRow } from '../contract/sbom/rows.ts'
import type { Db } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { senderToldApart } from '../products/tokens/told-apart.ts'

const rowColumns = [
  's.id',
  's.status',
  's.active',
  's.version_id',
  's.format',
  's.spec_version',
  's.component_count',
  's.source',
  's.received_at',
  'v.name as version',
  'v.retired_at',
] as const

type StoredRow = Pick<
  Selectable<Tables['sbom']>,
  | 'id'
  | 'status'
  | 'active'
  | 'version_id'
  | 'format'
  | 'spec_version'
  | 'component_count'
  | 'source'
  | 'sent_by'
  | 'received_at'
> & { version: string | null; retired_at: Date | null }

/** SBOMs of a workspace joined with their product version; narrow it with `where`. */
export function sbomRows(db: Db, workspaceId: string) {
  return db
    .selectFrom('sbom as s')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select([...rowColumns, senderToldApart('s', 'sent_by').as('sent_by')])
    .where('s.workspace_id', '=', workspaceId)
}

/** An SBOM as lists show it. A retired version's SBOM does not count as active. */
export function toSbomRow(row: StoredRow): SbomRow {
  return {
    id: row.id,
    status: row.status,
    active: row.active && row.retired_at === null,
    version: row.version,
    format: row.format,
    specVersion: row.spec_version,
    components: row.component_count,
    source: row.source,
    sentBy: row.sent_by,
    receivedAt: row.received_at.toISOString(),
  }
}
