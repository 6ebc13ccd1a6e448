import { sql } from 'kysely'
import type { AuditAction } from '../../../contract/audit/shapes.ts'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { DraftValue } from '../../../contract/incidents/report-drafts.ts'
import type { Db } from '../../../database/connection.ts'

/** A field of a draft, what the draft says in it, and where the event of a change has the fact that the field begins with. */
export type SaidFact = { field: string; said: DraftValue; path: readonly string[] }

type Where = {
  workspaceId: string
  /** The families, or the workspace, that the facts are kept with. */
  objectIds: readonly string[]
  action: AuditAction
  with: KeptValue['with']
}

/** The facts that were taken out where they were kept, and that the draft still states as they were. Index audit_event_object. */
export async function selectRemovedFacts(
  db: Db,
  { workspaceId, objectIds, action, with: place }: Where,
  facts: readonly SaidFact[],
): Promise<KeptValue[]> {
  if (facts.length === 0 || objectIds.length === 0) return []
  const { rows } = await sql<{ field: string; at: Date }>`
    select s.field, max(e.at) as at
    from unnest(
      ${facts.map(({ field }) => field)}::text[],
      ${facts.map(({ path }) => path.join('/'))}::text[],
      ${facts.map(({ said }) => JSON.stringify(typeof said === 'object' ? [...said].sort() : said))}::text[]
    ) s (field, path, said)
    join audit_event e on e.workspace_id = ${workspaceId} and e.object_id = any(${objectIds}::text[])
      and e.action = ${action}
      and e.before #> string_to_array(s.path, '/') = s.said::jsonb
      and coalesce(e.after #> string_to_array(s.path, '/'), 'null') in ('null', '[]', '""')
    group by s.field`.execute(db)
  return rows.map(({ field, at }) => ({
    field,
    value: typeof facts.find((one) => one.field === field)?.said === 'object' ? [] : '',
    with: place,
    changedAt: at.toISOString(),
  }))
}
