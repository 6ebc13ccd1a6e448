import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/random.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { documentFileName } from '../document/file-name.ts'
import { readContent } from '../document/read-content.ts'
import { insertLinks, type AdvisoryLink } from './links.ts'
import { lockFeed } from './lock-feed.ts'
import { savedDraft } from './locked-advisory.ts'
import { withProductNames } from './named-products.ts'
import { nextTrackingId } from './tracking-id.ts'

type Creating = {
  workspaceId: string
  content: AdvisoryContent
  /** What it is made from. */
  links: readonly AdvisoryLink[]
  actor: Actor
  clock: Clock
}

/**
 * Makes an advisory with a draft, under the next tracking id. Without notes of its own it gets those of the workspace.
 * Codes: `invalid_request`, `billing_lapsed`, `not_found` (a link).
 */
export async function createAdvisory(
  db: Db,
  { workspaceId, content: given, links, actor, clock }: Creating,
): Promise<{ id: string; trackingId: string }> {
  readContent(given)
  return transact(db, async (tx) => {
    const { now, trackingPrefix, generalNote, legalNote } = await lockFeed(tx, workspaceId, clock)
    const noted = {
      ...given,
      generalNote: given.generalNote ?? generalNote,
      legalNote: given.legalNote ?? legalNote,
    }
    const content = await withProductNames(tx, workspaceId, { content: noted, before: [] })
    const trackingId = await nextTrackingId(tx, { workspaceId, prefix: trackingPrefix, now })
    const id = newId(now)
    await tx
      .insertInto('advisory')
      .values({
        id,
        workspace_id: workspaceId,
        tracking_id: trackingId,
        file_name: documentFileName(trackingId),
        created_at: now,
        created_by_name: actor.name,
        last_revision: 1,
        current_ordinal: null,
        year: null,
        first_released_at: null,
      })
      .execute()
    await tx
      .insertInto('advisory_draft')
      .values({
        advisory_id: id,
        workspace_id: workspaceId,
        ...savedDraft({ revision: 1, content, actor, now }),
      })
      .execute()
    await insertLinks(tx, { workspaceId, advisoryId: id, trackingId, links, actor, now })
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'advisory.created',
      object: { kind: 'advisory', id, name: trackingId },
    })
    return { id, trackingId }
  })
}
