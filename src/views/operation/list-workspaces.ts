import { sql } from 'kysely'
import type { Plan, WorkspaceState } from '../../contract/plans.ts'
import type { Db } from '../../database/connection.ts'
import { effectiveState, type PlanAndDates } from '../../workspace/state.ts'
import { selectCeilings, type Ceilings } from '../../workspace/ceilings.ts'

/** What an operator sees of a workspace: who it is and how much it holds, nothing that it has stored. */
export type OperatedWorkspace = {
  slug: string
  plan: Plan
  state: WorkspaceState
  createdAt: string
  members: number
  families: number
  /** SBOMs and VEX documents that are stored. */
  documents: number
  /** Of these documents, inflated. */
  bytes: number
  /** Documents received in the last 30 days. */
  uploads30Days: number
  /** The last act in the audit trail. */
  lastActivityAt: string | null
  ceilings: Ceilings
}

type Row = PlanAndDates & {
  id: string
  slug: string
  created_at: Date
  members: number
  families: number
  documents: number
  bytes: number
  uploads: number
  last_activity_at: Date | null
}

/** Every workspace, by slug. Indexes sbom_family, vex_document_family, audit_event_workspace. */
export async function listWorkspaces(db: Db, now: Date): Promise<OperatedWorkspace[]> {
  const { rows } = await sql<Row>`
    select w.*, d.documents, d.bytes, d.uploads, a.at as last_activity_at,
      (select count(*) from member m where m.workspace_id = w.id and m.removed_at is null) as members,
      (select count(*) from family f where f.workspace_id = w.id and f.deleted_at is null) as families
    from workspace w
    cross join lateral (
      select count(*) as documents, coalesce(sum(size_bytes), 0)::bigint as bytes,
        count(*) filter (where received_at > ${now}::timestamptz - interval '30 days') as uploads
      from (
        select size_bytes, received_at from sbom where workspace_id = w.id
        union all select size_bytes, received_at from vex_document where workspace_id = w.id and sbom_id is null
      ) document
    ) d
    left join lateral (select at from audit_event where workspace_id = w.id order by id desc limit 1) a on true
    order by w.slug`.execute(db)
  const ceilings = await selectCeilings(db)
  return rows.map((row) => ({
    slug: row.slug,
    plan: row.plan,
    state: effectiveState(row, now),
    createdAt: row.created_at.toISOString(),
    members: row.members,
    families: row.families,
    documents: row.documents,
    bytes: row.bytes,
    uploads30Days: row.uploads,
    lastActivityAt: row.last_activity_at?.toISOString() ?? null,
    ceilings: ceilings.get(row.id) ?? { families: null, sboms: null, bytes: null },
  }))
}
