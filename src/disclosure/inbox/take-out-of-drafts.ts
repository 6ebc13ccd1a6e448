import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import { nextRevision } from '../../advisories/drafts/locked-advisory.ts'
import type { Tx } from '../../database/connection.ts'
import { namesIn, publishedCredits } from '../reads/withdrawn-credits.ts'

type Taken = { workspaceId: string; reportId: string; names: readonly string[] }

/** Waits for whoever publishes or saves a draft, and has them wait. */
export async function lockDrafts(tx: Tx, workspaceId: string): Promise<void> {
  await tx
    .selectFrom('advisory_feed')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute()
}

/**
 * Takes the credits of whoever sent a report that is being erased out of the drafts that are linked with it: nobody could tell later that the name is
 * theirs. Names that are published already stay, and so does who last changed the draft. The drafts are locked.
 */
export async function takeOutOfDrafts(tx: Tx, { workspaceId, reportId, names }: Taken): Promise<void> {
  const drafts = await tx
    .selectFrom('advisory_draft as d')
    .innerJoin('advisory_link as l', 'l.advisory_id', 'd.advisory_id')
    .select(['d.advisory_id as advisoryId', 'd.content'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.kind', '=', 'inbox_report')
    .where('l.object_id', '=', reportId)
    .orderBy('d.advisory_id')
    .execute()
  for (const { advisoryId, content } of drafts) {
    const published = await publishedCredits(tx, { workspaceId, advisoryId })
    const taken = new Set(names.filter((name) => !published.has(name)))
    const without = withoutCredits(content, taken)
    if (JSON.stringify(without) === JSON.stringify(content)) continue
    await tx
      .updateTable('advisory_draft')
      .set({
        content: JSON.stringify(without),
        revision: await nextRevision(tx, { workspaceId, advisoryId }),
      })
      .where('workspace_id', '=', workspaceId)
      .where('advisory_id', '=', advisoryId)
      .execute()
  }
}

function withoutCredits(content: AdvisoryContent, taken: ReadonlySet<string>): AdvisoryContent {
  const kept = (credits: AdvisoryContent['acknowledgments']) =>
    credits.filter((credit) => !namesIn(credit).some((name) => taken.has(name)))
  return {
    ...content,
    acknowledgments: kept(content.acknowledgments),
    vulnerabilities: content.vulnerabilities.map((one) =>
      one.acknowledgments === undefined ? one : { ...one, acknowledgments: kept(one.acknowledgments) },
    ),
  }
}
