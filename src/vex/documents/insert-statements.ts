import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { chunksOf, columnOf, unitSeparator } from '../../platform/postgres/columns.ts'
import { oneAhead } from '../../platform/postgres/one-ahead.ts'
import type { ClaimRow, DocumentRows, StatementRow, TargetRow } from './document-rows.ts'
import { PurlKeys } from './purl-keys.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

type DocumentKey = FamilyKey & { documentId: string }

/** Rows of one statement; texts may be thousands of characters long. */
const rowsPerInsert = 1_000

/** Inserts what a document says, a thousand rows at a time. The document's own row must be there. */
export async function insertStatements(tx: Tx, key: DocumentKey, rows: DocumentRows): Promise<void> {
  await oneAhead(chunksOf(rows.statements, rowsPerInsert), (chunk) => insertStatementRows(tx, key, chunk))
  await oneAhead(chunksOf(rows.claims, rowsPerInsert), (chunk) => insertClaimRows(tx, key, chunk))
  // Parsing the purls takes as long as storing them, so it is done while the database works.
  const keys = new PurlKeys()
  await oneAhead(chunksOf(rows.targets, rowsPerInsert), (chunk) => insertTargetRows(tx, key, chunk, keys))
}

async function insertStatementRows(
  tx: Tx,
  { workspaceId, familyId, documentId }: DocumentKey,
  rows: readonly StatementRow[],
): Promise<void> {
  const text = (value: (row: StatementRow) => string | null | undefined) =>
    columnOf(rows, 'text', (row) => value(row) ?? null)
  await sql`
    insert into vex_statement (workspace_id, family_id, document_id, number, kind, vulnerability_ids, verdict, raw_status,
      justification, raw_justification, impact, action, responses, stated_at, pointer, product_label, unbound_reason)
    select ${workspaceId}::uuid, ${familyId}::uuid, ${documentId}::uuid, number,
      case when verdict is null then 'finding' else 'statement' end, string_to_array(ids, ${unitSeparator}), verdict, raw_status,
      justification, raw_justification, impact, action, string_to_array(responses, ${unitSeparator}), stated_at::timestamptz,
      pointer, product_label, unbound_reason
    from unnest(
      ${columnOf(rows, 'int', ({ number }) => number)},
      ${text(({ vulnerabilityIds }) => vulnerabilityIds.join(unitSeparator))},
      ${text(({ verdict }) => verdict)},
      ${text(({ rawStatus }) => rawStatus)},
      ${text(({ justification }) => justification)},
      ${text(({ rawJustification }) => rawJustification)},
      ${text(({ impact }) => impact)},
      ${text(({ action }) => action)},
      ${text(({ responses = [] }) => responses.join(unitSeparator))},
      ${text(({ time }) => storableTime(time))},
      ${text(({ pointer }) => pointer)},
      ${text(({ productLabel }) => productLabel)},
      ${text(({ unboundReason }) => unboundReason)}
    ) as given (number, ids, verdict, raw_status, justification, raw_justification, impact, action, responses, stated_at, pointer,
      product_label, unbound_reason)`.execute(tx)
}

async function insertClaimRows(
  tx: Tx,
  { workspaceId, familyId, documentId }: DocumentKey,
  rows: readonly ClaimRow[],
): Promise<void> {
  await sql`
    insert into vex_claim (workspace_id, family_id, vulnerability_id, document_id, number)
    select ${workspaceId}::uuid, ${familyId}::uuid, vulnerability_id, ${documentId}::uuid, number
    from unnest(
      ${columnOf(rows, 'int', ({ number }) => number)},
      ${columnOf(rows, 'text', ({ vulnerabilityId }) => vulnerabilityId)}
    ) as given (number, vulnerability_id)`.execute(tx)
}

async function insertTargetRows(
  tx: Tx,
  { workspaceId, familyId, documentId }: DocumentKey,
  rows: readonly TargetRow[],
  keys: PurlKeys,
): Promise<void> {
  const text = (value: (row: TargetRow) => string | null | undefined) =>
    columnOf(rows, 'text', (row) => value(row) ?? null)
  await sql`
    insert into vex_target (workspace_id, family_id, document_id, number, place, kind, purl, cpe, purl_key, bom_link, carriers, versions)
    select ${workspaceId}::uuid, ${familyId}::uuid, ${documentId}::uuid, number, place, kind, purl, cpe, purl_key,
      bom_link::jsonb, carriers::jsonb, versions::jsonb
    from unnest(
      ${columnOf(rows, 'int', ({ number }) => number)},
      ${columnOf(rows, 'int', ({ place }) => place)},
      ${text(({ kind }) => kind)},
      ${text(({ purl }) => purl)},
      ${text(({ cpe }) => cpe)},
      ${text(({ purl }) => keys.of(purl))},
      ${text(({ bomLink }) => bomLink && JSON.stringify(bomLink))},
      ${text(({ carriers }) => carriers && JSON.stringify(carriers))},
      ${text(({ versions }) => versions && JSON.stringify(versions))}
    ) as given (number, place, kind, purl, cpe, purl_key, bom_link, carriers, versions)`.execute(tx)
}

/** PostgreSQL knows no year zero, and documents whose years have other than four digits do not mean their times. */
export function storableTime(time: string | undefined): string | null {
  return time !== undefined && /^(?!0000)\d{4}-/.test(time) ? time : null
}
