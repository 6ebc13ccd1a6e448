import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { VexEntryFilter, VexStatementPage, VexStatementRow } from '../../contract/vex/documents.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { containing, soughtText } from '../../platform/postgres/like-pattern.ts'
import { carrierOfLink } from '../../findings/verdicts/verdict-facts.ts'
import { saysText } from '../../findings/reads/component-spellings.ts'
import { bindStatements, type StatementBinding } from './bind-page.ts'
import type { DocumentScope, StoredStatement, StoredTarget } from './stored-statement.ts'

const shownTargets = 20
/** Of one statement; what is over it is not looked at on a page, though it decides. */
const readTargets = 100

export type StatementQuery = {
  workspaceId: string
  documentId: string
  show: VexEntryFilter
  /** Part of an id of the vulnerability, the product or a purl, without regard to case. */
  search?: string | undefined
  /** That one alone. */
  number?: number | undefined
  cursor?: string | undefined
}

const cursorShape = { list: 'statements', kinds: ['int'] } as const

/**
 * The statements or reported findings of a document in its order, 100 a page, with what each binds to in the active SBOMs that the
 * document holds for, whether or not it is in force. Codes: `not_found`, `invalid_request` (cursor).
 */
export async function listStatements(db: Db, query: StatementQuery): Promise<VexStatementPage> {
  const document = await selectScope(db, query)
  const [after] = query.cursor === undefined ? [0] : decodeCursor(cursorShape, query.cursor)
  const isAsked = isAskedFor(query)
  const { rows } = await sql<StoredStatement>`
    select s.number, s.kind, s.pointer, s.vulnerability_ids, s.verdict, s.raw_status, s.justification, s.raw_justification,
      s.impact, s.action, s.responses, s.stated_at, s.product_label, s.unbound_reason
    from vex_statement s
    where ${isAsked} and s.number > ${after}::int
    order by s.number
    limit ${askedRows}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from vex_statement s where ${isAsked}`.execute(db)
  const { shown, nextCursor } = cutPage(rows, { shape: cursorShape, position: (row) => [row.number] })
  const numbers = shown.map(({ number }) => number)
  const targets = Map.groupBy(await selectTargets(db, query.documentId, numbers), ({ number }) => number)
  const bindings = await bindStatements(
    db,
    document,
    shown.map((row) => ({ row, targets: targets.get(row.number) ?? [] })),
  )
  return {
    rows: shown.map((row) => toRow(row, targets.get(row.number) ?? [], bindings.get(row.number))),
    nextCursor,
    total: counted.rows[0]?.total ?? 0,
  }
}

async function selectScope(
  db: Db,
  { workspaceId, documentId }: Pick<StatementQuery, 'workspaceId' | 'documentId'>,
): Promise<DocumentScope> {
  const { rows } = await sql<DocumentScope>`
    select d.workspace_id as "workspaceId", d.id as "documentId", d.family_id as "familyId", d.version_id as "versionId",
      d.version_id is null and d.sbom_id is null as "everyVersion"
    from vex_document d
    join family f on f.id = d.family_id and f.deleted_at is null
    where d.workspace_id = ${workspaceId} and d.id = ${documentId}`.execute(db)
  const [scope] = rows
  if (scope === undefined) throw new ServiceError('not_found')
  return scope
}

function isAskedFor({ workspaceId, documentId, show, search, number }: StatementQuery): RawBuilder<boolean> {
  const conditions = [sql<boolean>`s.workspace_id = ${workspaceId} and s.document_id = ${documentId}`]
  conditions.push(sql<boolean>`s.kind = ${show === 'findings' ? 'finding' : 'statement'}`)
  if (number !== undefined) conditions.push(sql<boolean>`s.number = ${number}::int`)
  if (show === 'unbound') conditions.push(sql<boolean>`s.unbound_reason is not null`)
  const words = soughtText(search)
  if (words !== '') conditions.push(contains(words))
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function contains(text: string): RawBuilder<boolean> {
  const pattern = containing(text)
  return sql<boolean>`(
    array_to_string(s.vulnerability_ids, ' ') ilike ${pattern} or s.product_label ilike ${pattern}
    or exists (
      select from vex_target t
      where t.document_id = s.document_id and t.number = s.number and ${saysText([sql.ref('t.purl'), sql.ref('t.cpe')], text)}
    )
  )`
}

async function selectTargets(
  db: Db,
  documentId: string,
  numbers: readonly number[],
): Promise<StoredTarget[]> {
  const { rows } = await sql<StoredTarget>`
    select t.number, t.kind, t.purl, t.cpe, t.bom_link ->> 'ref' as reference, t.versions,
      case when t.kind <> 'bom_link' then t.carriers when b.id is not null then ${carrierOfLink('b', 'bv')} end as carriers,
      case when l.sbom_id is not null then jsonb_build_object('purl', l.purl, 'cpe', l.cpe, 'isProduct', l.is_product) end as link
    from vex_target t
    left join vex_link l on l.document_id = t.document_id and l.number = t.number and l.place = t.place
    left join sbom b on b.id = l.sbom_id
    left join product_version bv on bv.family_id = b.family_id and bv.id = b.version_id
    where t.document_id = ${documentId} and t.number = any(${numbers}::int[]) and t.place <= ${readTargets}
    order by t.number, t.place`.execute(db)
  return rows
}

function toRow(
  row: StoredStatement,
  targets: readonly StoredTarget[],
  binding: StatementBinding | undefined,
): VexStatementRow {
  return {
    number: row.number,
    pointer: row.pointer,
    vulnerabilityIds: row.vulnerability_ids,
    verdict: row.verdict,
    rawStatus: row.raw_status,
    justification: row.justification,
    rawJustification: row.raw_justification,
    impact: row.impact,
    action: row.action,
    responses: row.responses,
    statedAt: row.stated_at?.toISOString() ?? null,
    productLabel: row.product_label,
    unboundReason: row.unbound_reason,
    targets: targets.slice(0, shownTargets).map(({ purl, cpe, reference }) => ({ purl, cpe, reference })),
    ...(binding ?? { binding: 'unbound', wholeProduct: false, components: [], boundFindings: [] }),
  }
}
