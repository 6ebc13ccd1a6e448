import { sql, type RawBuilder } from 'kysely'
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

/** The ids of the reports that an advisory is about: those that it is linked with, and those of its incidents, which may have arrived later. */
export function reportsOf({ workspaceId, advisoryId }: Asked): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    select object_id as id from advisory_link
    where workspace_id = ${workspaceId} and advisory_id = ${advisoryId} and kind = 'inbox_report'
    union
    select i.report_id from advisory_link l
    join inbox_report_incident i on i.workspace_id = l.workspace_id and i.incident_id = l.object_id
    where l.workspace_id = ${workspaceId} and l.advisory_id = ${advisoryId} and l.kind = 'incident'`
}

/** The other way round: whether an advisory of the same workspace (`advisory_link l`) is about a report. */
function isAbout(reportId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    (l.kind = 'inbox_report' and l.object_id = ${reportId})
    or (l.kind = 'incident' and exists (
      select from inbox_report_incident i
      where i.workspace_id = l.workspace_id and i.report_id = ${reportId} and i.incident_id = l.object_id
    ))
  )`
}

/** Whether an advisory about a report names one of these where everybody can read it. */
export async function isNamedInPublic(
  db: Db,
  { workspaceId, reportId, names }: { workspaceId: string; reportId: string; names: readonly string[] },
): Promise<boolean> {
  if (names.length === 0) return false
  const { rows } = await sql<{ advisoryId: string }>`
    select distinct l.advisory_id as "advisoryId" from advisory_link l
    where l.workspace_id = ${workspaceId} and ${isAbout(reportId)}`.execute(db)
  for (const { advisoryId } of rows) {
    const published = await publicCredits(db, { workspaceId, advisoryId })
    if (names.some((name) => published.has(name.trim()))) return true
  }
  return false
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
 * Takes the credits of whoever sent a report that is being erased out of the drafts that are about it: nobody could tell later that the name is
 * theirs. Names that everybody can read stay, and so does who last changed the draft. The drafts are locked.
 */
export async function takeOutOfDrafts(
  tx: Tx,
  { workspaceId, reportId, names }: { workspaceId: string; reportId: string; names: readonly string[] },
): Promise<void> {
  const { rows: drafts } = await sql<{ advisoryId: string; content: AdvisoryContent }>`
    select d.advisory_id as "advisoryId", d.content from advisory_draft d
    where d.workspace_id = ${workspaceId} and exists (
      select from advisory_link l
      where l.workspace_id = d.workspace_id and l.advisory_id = d.advisory_id and ${isAbout(reportId)}
    )
    order by d.advisory_id`.execute(tx)
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
 * What a draft or a correction on top of the version in force begins with. Where that is not public and a report that it is about has been erased since,
 * nobody can tell which of its credits were theirs: none is taken over. Codes: `conflict` (nothing is published).
 */
export async function contentOnTop(tx: Tx, asked: Asked): Promise<AdvisoryContent> {
  const content = await publishedContent(tx, asked)
  if (content.tlp === 'WHITE' || !(await isErasedSince(tx, asked))) return content
  return withoutCredits(content, () => true)
}

/** Whether a report that the advisory is about was erased after the version in force was published. */
async function isErasedSince(tx: Tx, asked: Asked): Promise<boolean> {
  const { rows } = await sql`
    select from inbox_report r
    join advisory a on a.workspace_id = r.workspace_id and a.id = ${asked.advisoryId}
    join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    where r.workspace_id = ${asked.workspaceId} and r.id in (${reportsOf(asked)}) and r.erased_at >= v.released_at
    limit 1`.execute(tx)
  return rows.length > 0
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
