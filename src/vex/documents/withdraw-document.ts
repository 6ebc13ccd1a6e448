import { sql } from 'kysely'
import type { AuditAction } from '../../contract/audit/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { enqueueRefresh } from '../../workspace/monitoring/enqueue-refresh.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { replaceDocuments } from './queries.ts'
import { productName } from '../../products/families/product-name.ts'

type Act = { workspaceId: string; documentId: string; actor: Actor; now: Date }

type LockedDocument = {
  familyId: string
  versionId: string | null
  sbomId: string | null
  source: Parameters<typeof replaceDocuments>[1]['source']
  isReplaced: boolean
  isWithdrawn: boolean
  family: string
  version: string | null
}

/**
 * Takes a document back: its statements no longer count (domain 6.2). One that was replaced stays so. An SBOM's own document can be
 * taken back as well; the SBOM stays. Codes: `not_found`, `conflict` (it is withdrawn already, or its family is archived).
 */
export async function withdrawDocument(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    const document = await lockDocument(tx, act)
    if (document.isWithdrawn)
      throw new ServiceError('conflict', { message: 'The document is already withdrawn.' })
    await tx
      .updateTable('vex_document')
      .set({ withdrawn_at: act.now, withdrawn_by: act.actor.id })
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', act.documentId)
      .execute()
    await finish(tx, act, { document, action: 'vex.withdrawn' })
  })
}

/**
 * Puts a withdrawn or replaced document into force again, in the place of the one that is in force for its source and version. An
 * SBOM's own document counts as soon as its SBOM is the active one. Codes: `not_found`, `conflict` (it is in force, or its family is
 * archived).
 */
export async function restoreDocument(db: Db, act: Act): Promise<void> {
  await transact(db, async (tx) => {
    const document = await lockDocument(tx, act)
    if (!document.isWithdrawn && !document.isReplaced) {
      throw new ServiceError('conflict', { message: 'The document is in force.' })
    }
    const { workspaceId, documentId, now } = act
    const { familyId, versionId, source } = document
    const replaced =
      document.sbomId === null
        ? await replaceDocuments(
            tx,
            { workspaceId, familyId, versionId, source },
            { by: documentId, at: now },
          )
        : []
    await tx
      .updateTable('vex_document')
      .set({ withdrawn_at: null, withdrawn_by: null, replaced_by: null, replaced_at: null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', documentId)
      .execute()
    await finish(tx, act, { document, action: 'vex.restored', replaced })
  })
}

/** With its family, so that uploads into its place wait. */
async function lockDocument(tx: Tx, { workspaceId, documentId }: Act): Promise<LockedDocument> {
  const { rows } = await sql<LockedDocument & { isArchived: boolean }>`
    select d.family_id as "familyId", d.version_id as "versionId", d.sbom_id as "sbomId", d.source,
      d.replaced_by is not null as "isReplaced", d.withdrawn_at is not null as "isWithdrawn",
      f.archived_at is not null as "isArchived", f.name as family, v.name as version
    from vex_document d
    join family f on f.workspace_id = d.workspace_id and f.id = d.family_id
    left join product_version v on v.workspace_id = d.workspace_id and v.id = d.version_id
    where d.workspace_id = ${workspaceId} and d.id = ${documentId} and f.deleted_at is null
    for no key update of f, d`.execute(tx)
  const [document] = rows
  if (document === undefined) throw new ServiceError('not_found')
  if (document.isArchived) throw new ServiceError('conflict', { message: 'The product family is archived.' })
  return document
}

type Change = { document: LockedDocument; action: AuditAction; replaced?: readonly string[] }

async function finish(tx: Tx, act: Act, { document, action, replaced = [] }: Change): Promise<void> {
  const { workspaceId, documentId, actor, now } = act
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    action,
    object: { kind: 'vex_document', id: documentId, name: productName(document.family, document.version) },
    ...(replaced.length === 0 ? {} : { before: { documentIds: replaced } }),
  })
  await enqueueRefresh(tx, { workspaceId, familyId: document.familyId }, now)
}
