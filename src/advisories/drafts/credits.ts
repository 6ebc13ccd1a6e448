import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { nextRevision, publishedContent, selectPublished } from './locked-advisory.ts'

type Thanks = AdvisoryContent['acknowledgments']
type Asked = { workspaceId: string; advisoryId: string }

/** A credit, and the field that it is in. */
export type Credit = Thanks[number] & { field: string }

/** Of the whole and of each vulnerability. */
export function creditsIn({ acknowledgments, vulnerabilities }: AdvisoryContent): Credit[] {
  const placed = (list: Thanks, path: string) =>
    list.map((credit, index) => ({ ...credit, field: `${path}.${index}` }))
  return [
    ...placed(acknowledgments, 'acknowledgments'),
    ...vulnerabilities.flatMap((one, index) =>
      placed(one.acknowledgments ?? [], `vulnerabilities.${index}.acknowledgments`),
    ),
  ]
}

/** The names in a credit. */
export function namesIn({ names, organization }: Thanks[number]): string[] {
  return [...names, organization].map((name) => name.trim()).filter((name) => name !== '')
}

/** The names that everybody can read: those in the credits of the version in force, where it is public. */
export async function publicCredits(db: Db, asked: Asked): Promise<Set<string>> {
  const content = await selectPublished(db, asked)
  return new Set(content?.tlp === 'WHITE' ? creditsIn(content).flatMap(namesIn) : [])
}

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
 * theirs. Names that everybody can read stay, and so does who last changed the draft. The drafts are locked.
 */
export async function takeOutOfDrafts(
  tx: Tx,
  { workspaceId, reportId, names }: { workspaceId: string; reportId: string; names: readonly string[] },
): Promise<void> {
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
    const published = await publicCredits(tx, { workspaceId, advisoryId })
    const taken = new Set(names.filter((name) => !published.has(name)))
    if (!creditsIn(content).some((credit) => isOf(credit, taken))) continue
    await tx
      .updateTable('advisory_draft')
      .set({
        content: JSON.stringify(withoutCredits(content, (credit) => isOf(credit, taken))),
        revision: await nextRevision(tx, { workspaceId, advisoryId }),
      })
      .where('workspace_id', '=', workspaceId)
      .where('advisory_id', '=', advisoryId)
      .execute()
  }
}

/**
 * What a draft or a correction on top of the version in force begins with. Where that is not public and a report linked with it has been erased since,
 * nobody can tell which of its credits were theirs: none is taken over. Codes: `conflict` (nothing is published).
 */
export async function contentOnTop(tx: Tx, asked: Asked): Promise<AdvisoryContent> {
  const content = await publishedContent(tx, asked)
  if (content.tlp === 'WHITE' || !(await isErasedSince(tx, asked))) return content
  return withoutCredits(content, () => true)
}

/** Whether a report that the advisory is linked with was erased after the version in force was published. */
async function isErasedSince(tx: Tx, { workspaceId, advisoryId }: Asked): Promise<boolean> {
  const erased = await tx
    .selectFrom('advisory_link as l')
    .innerJoin('inbox_report as r', 'r.id', 'l.object_id')
    .innerJoin('advisory as a', 'a.id', 'l.advisory_id')
    .innerJoin('advisory_version as v', (join) =>
      join.onRef('v.advisory_id', '=', 'a.id').onRef('v.ordinal', '=', 'a.current_ordinal'),
    )
    .select('r.id')
    .where('l.workspace_id', '=', workspaceId)
    .where('l.advisory_id', '=', advisoryId)
    .where('l.kind', '=', 'inbox_report')
    .whereRef('r.erased_at', '>=', 'v.released_at')
    .limit(1)
    .executeTakeFirst()
  return erased !== undefined
}

function withoutCredits(
  content: AdvisoryContent,
  isTaken: (credit: Thanks[number]) => boolean,
): AdvisoryContent {
  const kept = (credits: Thanks) => credits.filter((credit) => !isTaken(credit))
  return {
    ...content,
    acknowledgments: kept(content.acknowledgments),
    vulnerabilities: content.vulnerabilities.map((one) =>
      one.acknowledgments === undefined ? one : { ...one, acknowledgments: kept(one.acknowledgments) },
    ),
  }
}

function isOf(credit: Thanks[number], names: ReadonlySet<string>): boolean {
  return namesIn(credit).some((name) => names.has(name))
}
