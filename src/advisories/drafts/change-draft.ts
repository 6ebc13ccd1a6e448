import type { AdvisoryContent, DraftState } from '../../contract/advisories/shapes.ts'
import type { AuditAction } from '../../contract/audit/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct } from '../../audit/record-acts.ts'
import { documentFileName } from '../document/file-name.ts'
import { readContent } from '../document/read-content.ts'
import { contentOnTop } from './credits.ts'
import { lockedAdvisory, lockedDraft, nextRevision, savedDraft, type AdvisoryAct } from './locked-advisory.ts'
import { lockFeed } from './lock-feed.ts'
import { withProductNames } from './named-products.ts'
import { refuseMalformedId, refuseTakenId } from './tracking-id.ts'

type Revised = { revision: number }

/**
 * Saves a draft over the revision that its writer has seen; an approval lapses. Codes: `invalid_request`,
 * `billing_lapsed`, `not_found`, `conflict` (somebody else has saved since, or it has been published).
 */
export async function saveDraft(
  db: Db,
  act: AdvisoryAct,
  { revision, content: given }: Revised & { content: AdvisoryContent },
): Promise<Revised> {
  const { workspaceId, advisoryId, actor, clock } = act
  readContent(given)
  return transact(db, async (tx) => {
    const { now } = await lockFeed(tx, workspaceId, clock)
    await lockedAdvisory(tx, act)
    const draft = await lockedDraft(tx, act, revision)
    const content = await withProductNames(tx, workspaceId, {
      content: given,
      before: draft.content.products,
    })
    const next = await nextRevision(tx, act)
    await tx
      .updateTable('advisory_draft')
      .set(savedDraft({ revision: next, content, actor, now }))
      .where('workspace_id', '=', workspaceId)
      .where('advisory_id', '=', advisoryId)
      .execute()
    return { revision: next }
  })
}

/** Sends a draft into review, approves it or takes it back. Codes: `billing_lapsed`, `not_found`, `conflict`. */
export async function setDraftState(
  db: Db,
  act: AdvisoryAct,
  { revision, state }: Revised & { state: DraftState },
): Promise<void> {
  await transact(db, async (tx) => {
    const { now } = await lockFeed(tx, act.workspaceId, act.clock)
    const { tracking_id: name } = await lockedAdvisory(tx, act)
    const before = await lockedDraft(tx, act, revision)
    if (before.state === state) return
    await tx
      .updateTable('advisory_draft')
      .set({ state })
      .where('workspace_id', '=', act.workspaceId)
      .where('advisory_id', '=', act.advisoryId)
      .execute()
    await record(tx, act, { now, name, action: 'advisory.draft_state', before: before.state, after: state })
  })
}

/** Begins a draft on top of what is published, which stays in the feed. Codes: `billing_lapsed`, `not_found`, `conflict`. */
export async function beginDraft(db: Db, act: AdvisoryAct): Promise<Revised> {
  const { workspaceId, advisoryId, actor, clock } = act
  return transact(db, async (tx) => {
    const { now } = await lockFeed(tx, workspaceId, clock)
    await lockedAdvisory(tx, act)
    const before = await contentOnTop(tx, act)
    const content = await withProductNames(tx, workspaceId, { content: before, before: before.products })
    const revision = await nextRevision(tx, act)
    const made = await tx
      .insertInto('advisory_draft')
      .values({
        advisory_id: advisoryId,
        workspace_id: workspaceId,
        ...savedDraft({ revision, content, actor, now }),
      })
      .onConflict((conflict) => conflict.column('advisory_id').doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows !== 1n)
      throw new ServiceError('conflict', { message: 'It already has a draft.' })
    return { revision }
  })
}

/**
 * Deletes a draft; an advisory without a published version goes with it. Codes: `billing_lapsed`, `not_found`, `conflict` (there is none, or
 * it has been saved since).
 */
export async function deleteDraft(db: Db, act: AdvisoryAct, { revision }: Revised): Promise<void> {
  const { workspaceId, advisoryId } = act
  await transact(db, async (tx) => {
    const { now } = await lockFeed(tx, workspaceId, act.clock)
    const advisory = await lockedAdvisory(tx, act)
    await lockedDraft(tx, act, revision)
    await tx
      .deleteFrom('advisory_draft')
      .where('workspace_id', '=', workspaceId)
      .where('advisory_id', '=', advisoryId)
      .execute()
    if (advisory.current_ordinal === null) {
      await tx
        .deleteFrom('advisory_link')
        .where('workspace_id', '=', workspaceId)
        .where('advisory_id', '=', advisoryId)
        .execute()
      await tx
        .deleteFrom('advisory')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', advisoryId)
        .execute()
    }
    await record(tx, act, { now, name: advisory.tracking_id, action: 'advisory.draft_deleted' })
  })
}

/** Gives an advisory another tracking id until it is published. Codes: `invalid_request`, `billing_lapsed`, `not_found`, `conflict`. */
export async function changeTrackingId(db: Db, act: AdvisoryAct, trackingId: string): Promise<void> {
  refuseMalformedId(trackingId)
  await transact(db, async (tx) => {
    const { now } = await lockFeed(tx, act.workspaceId, act.clock)
    const { tracking_id: before, current_ordinal: ordinal } = await lockedAdvisory(tx, act)
    if (ordinal !== null)
      throw new ServiceError('conflict', { message: 'The ID of a published advisory cannot change.' })
    if (before === trackingId) return
    await refuseTakenId(tx, { workspaceId: act.workspaceId, trackingId, advisoryId: act.advisoryId })
    await tx
      .updateTable('advisory')
      .set({ tracking_id: trackingId, file_name: documentFileName(trackingId) })
      .where('workspace_id', '=', act.workspaceId)
      .where('id', '=', act.advisoryId)
      .execute()
    await record(tx, act, {
      now,
      name: trackingId,
      action: 'advisory.tracking_id_changed',
      before,
      after: trackingId,
    })
  })
}

type Recorded = { now: Date; name: string; action: AuditAction; before?: unknown; after?: unknown }

async function record(tx: Tx, act: AdvisoryAct, { now, name, ...what }: Recorded): Promise<void> {
  const { workspaceId, actor, advisoryId } = act
  await recordAct(tx, {
    workspaceId,
    actor,
    at: now,
    object: { kind: 'advisory', id: advisoryId, name },
    ...what,
  })
}
