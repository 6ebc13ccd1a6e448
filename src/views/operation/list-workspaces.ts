import { sql, type RawBuilder } from 'kysely'
import type { Plan, WorkspaceState } from '../../contract/workspace/plans.ts'
import type { Db } from '../../database/connection.ts'
import { containing } from '../../platform/postgres/like-pattern.ts'
import { effectiveState } from '../../workspace/state.ts'
import { ceilingsOf, type Ceilings } from '../../workspace/ceilings.ts'
import type { WorkspaceRow } from '../../workspace/workspaces.ts'

/** What an operator sees of a workspace: who it is and how much it holds, nothing that it has stored. */
export type OperatedWorkspace = {
  slug: string
  plan: Plan
  state: WorkspaceState
  /** When the trial or what is paid for ends; null: it does not. */
  endsAt: string | null
  createdAt: string
  members: number
  families: number
  /** SBOMs and VEX documents that are stored. */
  documents: number
  /** Of these documents, inflated. */
  bytes: number
  /** Of the files of reports. */
  fileBytes: number
  /** Documents received in the last 30 days. */
  uploads30Days: number
  /** The last act in the audit trail. */
  lastActivityAt: string | null
  ceilings: Ceilings
}

type Row = WorkspaceRow & {
  members: number
  families: number
  documents: number
  bytes: number
  file_bytes: number
  uploads: number
  last_activity_at: Date | null
}

export type WorkspacesAsked = {
  /** A part of the slug. */
  search?: string
  /** The last slug of the page before. */
  after?: string
  /** How many at most. */
  limit?: number
}

/** Workspaces, by slug: what they hold is counted for those that are returned. */
export async function listWorkspaces(
  db: Db,
  now: Date,
  { search = '', after = '', limit }: WorkspacesAsked = {},
): Promise<OperatedWorkspace[]> {
  const some = sql`slug like ${containing(search)} and slug > ${after} order by slug ${
    limit === undefined ? sql`` : sql`limit ${limit}`
  }`
  return selectWorkspaces(db, now, some)
}

/** How many workspaces have the text in their slug. */
export async function countWorkspaces(db: Db, search = ''): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from workspace where slug like ${containing(search)}`.execute(db)
  return rows[0]?.found ?? 0
}

export async function selectOperatedWorkspace(
  db: Db,
  slug: string,
  now: Date,
): Promise<OperatedWorkspace | undefined> {
  const [workspace] = await selectWorkspaces(db, now, sql`slug = ${slug}`)
  return workspace
}

/** Indexes sbom_family, vex_document_family, inbox_report_listed, inbox_attachment_report, audit_event_newest. */
async function selectWorkspaces(db: Db, now: Date, some: RawBuilder<unknown>): Promise<OperatedWorkspace[]> {
  const { rows } = await sql<Row>`
    select w.*, d.documents, d.bytes, d.uploads, a.at as last_activity_at,
      (select count(*) from member m where m.workspace_id = w.id and m.removed_at is null) as members,
      (select count(*) from family f where f.workspace_id = w.id and f.deleted_at is null) as families,
      (
        select coalesce(sum(t.size_bytes), 0)::bigint
        from inbox_report r join inbox_attachment t on t.report_id = r.id where r.workspace_id = w.id
      ) as file_bytes
    from (select * from workspace where ${some}) w
    cross join lateral (
      select count(*) as documents, coalesce(sum(size_bytes), 0)::bigint as bytes,
        count(*) filter (where received_at > ${now}::timestamptz - interval '30 days') as uploads
      from (
        select size_bytes, received_at from sbom where workspace_id = w.id
        union all select size_bytes, received_at from vex_document where workspace_id = w.id and sbom_id is null
      ) document
    ) d
    left join lateral (
      select at from audit_event where workspace_id = w.id order by at desc, id desc limit 1
    ) a on true
    order by w.slug`.execute(db)
  return rows.map((row) => shown(row, now))
}

function shown(row: Row, now: Date): OperatedWorkspace {
  const endsAt = row.plan === 'trial' ? row.trial_ends_at : row.paid_until
  return {
    slug: row.slug,
    plan: row.plan,
    state: effectiveState(row, now),
    endsAt: endsAt?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    members: row.members,
    families: row.families,
    documents: row.documents,
    bytes: row.bytes,
    fileBytes: row.file_bytes,
    uploads30Days: row.uploads,
    lastActivityAt: row.last_activity_at?.toISOString() ?? null,
    ceilings: ceilingsOf(row),
  }
}
