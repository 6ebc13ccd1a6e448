import type { Db } from '../../database/connection.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { openedReport } from '../credited-names.ts'

type FoundReport = { number: number; title: string | null; family: string | null }

type Sought = { workspaceId: string; words: string; max: number; sealing: Sealing }

/** Their text is sealed, so that a word is looked for in the newest ones alone. */
const maxOpened = 200
const numberForm = /^#?(\d{1,9})$/

/** Reports of the inbox by their number, or the newest with some words in the title or the family; spam is left out. Index inbox_report_listed. */
export async function findReports(
  db: Db,
  { workspaceId, words, max, sealing }: Sought,
): Promise<FoundReport[]> {
  const [, number] = numberForm.exec(words) ?? []
  const rows = await db
    .selectFrom('inbox_report as r')
    .leftJoin('family as f', 'f.id', 'r.family_id')
    .select(['r.id', 'r.number', 'r.text_sealed', 'f.name as family'])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.state', '<>', 'spam')
    .$if(number !== undefined, (query) => query.where('r.number', '=', Number(number)))
    .orderBy('r.number', 'desc')
    .limit(maxOpened)
    .execute()
  const wanted = words.toLowerCase()
  const says = (text: string | null) => text?.toLowerCase().includes(wanted) === true
  return rows
    .map((row) => ({
      number: row.number,
      title: openedReport(sealing, { workspaceId, id: row.id }, row.text_sealed)?.title ?? null,
      family: row.family,
    }))
    .filter((report) => number !== undefined || says(report.title) || says(report.family))
    .slice(0, max)
}
