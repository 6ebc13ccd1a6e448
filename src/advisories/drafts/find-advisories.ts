import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { containing } from '../../platform/postgres/like-pattern.ts'

type FoundAdvisory = { id: string; trackingId: string; title: string }

/**
 * The newest advisories of a workspace with some words in their tracking id, in the title of their draft or of the version in force, or in the id
 * of a vulnerability that either names. Index advisory_workspace.
 */
export async function findAdvisories(
  db: Db,
  { workspaceId, words, max }: { workspaceId: string; words: string; max: number },
): Promise<FoundAdvisory[]> {
  const pattern = containing(words)
  const names = (content: string) => sql`exists (
    select from jsonb_array_elements(${sql.ref(content)} -> 'vulnerabilities') n (vulnerability)
    where n.vulnerability ->> 'cve' ilike ${pattern} or exists (
      select from jsonb_array_elements(n.vulnerability -> 'ids') i (id) where i.id ->> 'text' ilike ${pattern}
    )
  )`
  const { rows } = await sql<FoundAdvisory>`
    select a.id, a.tracking_id as "trackingId", coalesce(v.title, d.content ->> 'title', '') as title
    from advisory a
    left join advisory_draft d on d.advisory_id = a.id
    left join advisory_version v on v.advisory_id = a.id and v.ordinal = a.current_ordinal
    where a.workspace_id = ${workspaceId} and (
      a.tracking_id ilike ${pattern} or v.title ilike ${pattern} or d.content ->> 'title' ilike ${pattern}
      or ${names('d.content')} or ${names('v.content')}
    )
    order by a.created_at desc, a.id desc
    limit ${max}`.execute(db)
  return rows
}
