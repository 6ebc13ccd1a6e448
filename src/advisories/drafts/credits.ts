import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { nextRevision, selectPublished } from './locked-advisory.ts'

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

/** The names in the credits of the version in force. */
export async function publishedCredits(db: Db, asked: Asked): Promise<Set<string>> {
  const content = await selectPublished(db, asked)
  return new Set(content === undefined ? [] : creditsIn(content).flatMap(namesIn))
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
 * theirs. Names that are published already stay, and so does who last changed the draft. The drafts are locked.
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
    const published = await publishedCredits(tx, { workspaceId, advisoryId })
    const taken = new Set(names.filter((name) => !published.has(name)))
    if (!creditsIn(content).some((credit) => isOf(credit, taken))) continue
    await tx
      .updateTable('advisory_draft')
      .set({
        content: JSON.stringify(withoutCredits(content, taken)),
        revision: await nextRevision(tx, { workspaceId, advisoryId }),
      })
      .where('workspace_id', '=', workspaceId)
      .where('advisory_id', '=', advisoryId)
      .execute()
  }
}

function withoutCredits(content: AdvisoryContent, taken: ReadonlySet<string>): AdvisoryContent {
  const kept = (credits: Thanks) => credits.filter((credit) => !isOf(credit, taken))
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
