import { sql } from 'kysely'
import type { VexDocument } from '../../contract/vex/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { decompress } from '../../formats/decompress/decompress.ts'
import { parseJson } from '../../formats/json/parse.ts'
import { readSbom } from '../../formats/sbom/read-sbom.ts'
import { vexGeneration } from '../../formats/vex/generation.ts'
import { readVex } from '../../formats/vex/read-vex.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import type { Clock } from '../../platform/clock.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { monitored } from '../../workspace/state.ts'
import { countBound } from '../binding/bind-links.ts'
import { documentRows, type DocumentRows } from './document-rows.ts'
import { insertStatements } from './insert-statements.ts'
import { keepNumbers } from './keep-numbers.ts'

type Stored = FamilyKey & {
  documentId: string
  /** Whether an SBOM states it: the file is the SBOM. */
  isReported: boolean
}
/** A stored document, and how its file is compressed. */
export type ReadEarlier = Stored & { encoding: string }

/**
 * Reads a document that an earlier release stored by the rules of this one, and has the findings of its family worked out again. Its statements keep their
 * numbers: traces of openings that did not happen name them. A second run changes nothing, nor does one for a document that is no longer in force, or
 * whose family is not monitored any more.
 * Codes: `too_large` when the file inflates to more than `maxFileBytes`; those of `readVex` and `readSbom` where this release no longer accepts it.
 */
export async function readVexAgain(
  db: Db,
  { encoding, ...stored }: ReadEarlier,
  raw: Uint8Array,
  { maxFileBytes, clock }: { maxFileBytes: number; clock: Clock },
): Promise<null> {
  const file = decompress(raw, encoding, 'gzip_and_zstd', maxFileBytes)
  const document = stored.isReported ? readSbom(file).reported : readVex(parseJson(file, 'vex'))
  const read = document ?? { statements: [], findings: [], unbound: 0, hints: [] }
  const rows = documentRows(read)
  await transact(db, async (tx) => {
    if (!(await lockReadEarlier(tx, stored, clock()))) return
    await replaceStatements(tx, stored, { read, rows })
    await enqueueRefresh(tx, stored, clock())
  })
  return null
}

/** Under the lock that uploads take; false where the document needs no more. */
async function lockReadEarlier(
  tx: Tx,
  { workspaceId, familyId, documentId }: Stored,
  now: Date,
): Promise<boolean> {
  const row = await readEarlier(tx, now)
    .select('d.id')
    .where('d.workspace_id', '=', workspaceId)
    .where('d.family_id', '=', familyId)
    .where('d.id', '=', documentId)
    .forShare('w')
    .forNoKeyUpdate(['f', 'd'])
    .executeTakeFirst()
  return row !== undefined
}

type Read = {
  read: Pick<VexDocument, 'statements' | 'findings' | 'unbound' | 'hints'>
  rows: DocumentRows
}

async function replaceStatements(tx: Tx, stored: Stored, { read, rows }: Read): Promise<void> {
  const { workspaceId, familyId, documentId } = stored
  const numbered = await keepNumbers(tx, stored, rows)
  const links = await selectLinks(tx, stored)
  for (const table of ['vex_target', 'vex_claim', 'vex_statement'] as const) {
    await tx
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .where('document_id', '=', documentId)
      .execute()
  }
  await insertStatements(tx, stored, numbered)
  await tx
    .updateTable('vex_document')
    .set({
      statement_count: read.statements.length,
      finding_count: read.findings.length,
      unbound_count: read.unbound,
      hints: JSON.stringify([...read.hints, ...rows.hints]),
      reading_generation: vexGeneration,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', documentId)
    .execute()
  await removeOtherLinks(tx, stored, links)
  await countBound(tx, stored)
}

type Link = { number: number; place: number; link: string }

async function selectLinks(tx: Tx, { workspaceId, familyId, documentId }: Stored): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select number, place, bom_link::text as link from vex_target
    where workspace_id = ${workspaceId} and family_id = ${familyId} and document_id = ${documentId} and kind = 'bom_link'`.execute(
    tx,
  )
  return rows
}

/** What a BOM-Link was found to mean stays where the link is still there: the SBOM may be gone. Others are read with the findings. */
async function removeOtherLinks(
  tx: Tx,
  { workspaceId, familyId, documentId }: Stored,
  links: readonly Link[],
): Promise<void> {
  if (links.length === 0) return
  await sql`
    delete from vex_link l
    using unnest(
      ${columnOf(links, 'int', ({ number }) => number)},
      ${columnOf(links, 'int', ({ place }) => place)},
      ${columnOf(links, 'text', ({ link }) => link)}
    ) as earlier (number, place, link)
    where l.workspace_id = ${workspaceId} and l.family_id = ${familyId} and l.document_id = ${documentId}
      and l.number = earlier.number and l.place = earlier.place
      and not exists (
        select from vex_target t
        where t.document_id = l.document_id and t.number = l.number and t.place = l.place and t.bom_link = earlier.link::jsonb
      )`.execute(tx)
}

/** Documents of one look-up: it reads all of them. */
const documentsPerLookUp = 1_000

/** Documents in force that an earlier release read, some of them, in the order of their ids. Those of families that are not monitored stay as they are. */
export async function selectReadEarlier(
  db: Db,
  { after, now }: { after: string | null; now: Date },
): Promise<Stored[]> {
  return readEarlier(db, now)
    .select(['d.workspace_id as workspaceId', 'd.family_id as familyId', 'd.id as documentId'])
    .select((where) => where('d.sbom_id', 'is not', null).$castTo<boolean>().as('isReported'))
    .$if(after !== null, (query) => query.where('d.id', '>', after ?? ''))
    .orderBy('d.id')
    .limit(documentsPerLookUp)
    .execute()
}

function readEarlier(db: Db, now: Date) {
  return db
    .selectFrom('vex_document as d')
    .innerJoin('family as f', (join) =>
      join.onRef('f.workspace_id', '=', 'd.workspace_id').onRef('f.id', '=', 'd.family_id'),
    )
    .innerJoin('workspace as w', 'w.id', 'd.workspace_id')
    .where('d.reading_generation', '<', vexGeneration)
    .where('d.replaced_by', 'is', null)
    .where('d.withdrawn_at', 'is', null)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .where(monitored('w', now))
    .where((where) =>
      where.or([
        where('d.sbom_id', 'is', null),
        where.exists(
          where
            .selectFrom('sbom as s')
            .select('s.id')
            .whereRef('s.workspace_id', '=', 'd.workspace_id')
            .whereRef('s.id', '=', 'd.sbom_id')
            .where('s.active', '=', true),
        ),
      ]),
    )
}
