import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { columnOf, uuidList } from '../../platform/postgres/columns.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { enqueueRefreshes } from '../../workspace/monitoring/enqueue-refresh.ts'
import { namesAndParts } from '../verdicts/names-of-group.ts'

type Changed = {
  packageKeys: readonly string[]
  /** Identities on these packages. */
  identityIds: readonly string[]
  /** Groups that others were merged into. */
  groupIds: readonly number[]
}

/**
 * Enqueues a refresh of the families in which changed records may have changed what a statement or decision speaks of: those with an
 * open finding on a group around the records that has a verdict, or that somebody has spoken of by one of its names.
 */
export async function enqueueVerdictRefreshes(db: Db, changed: Changed, now: Date): Promise<void> {
  if (!(await hasSpoken(db))) return
  await enqueueRefreshes(db, await selectTouchedFamilies(db, changed), now)
}

/** The same of what statements under EUVD ids speak of, after their mapping to CVEs changed: only few are written. Index vex_claim_vulnerability. */
export async function enqueueMappedVerdicts(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<FamilyKey>`
    select y.workspace_id as "workspaceId", y.id as "familyId"
    from family y
    where y.archived_at is null and y.deleted_at is null
      and exists (select from vex_document d where d.workspace_id = y.workspace_id and d.family_id = y.id)
      and exists (select from vex_claim c where c.family_id = y.id and c.vulnerability_id like 'EUVD-%')
    order by y.id`.execute(db)
  await enqueueRefreshes(db, rows, now)
}

/** Whether any workspace has a document or decision: a full import should not search in vain a thousand times. */
async function hasSpoken(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select where exists (select from vex_document) or exists (select from verdict_decision)`.execute(db)
  return rows.length > 0
}

/**
 * Indexes affected_range_package, finding_identity, finding_of_group, vex_document_family and vex_claim_vulnerability. The server cannot
 * know how many groups are touched: `offset` keeps it from reading all findings for a few of them.
 */
async function selectTouchedFamilies(
  db: Db,
  { packageKeys, identityIds, groupIds }: Changed,
): Promise<FamilyKey[]> {
  const { rows } = await sql<FamilyKey>`
    with touched (group_id) as materialized (
      select unnest(${groupIds}::bigint[])
      union
      select v.group_id
      from affected_range r
      join vulnerability v on v.id = r.vulnerability_id
      where r.package_key = any(${columnOf(packageKeys, 'text', (key) => key)})
      union
      select group_id from finding where identity_id = any(${uuidList(identityIds)}) and closed_at is null
    ),
    judged as materialized (
      select f.workspace_id, f.family_id, f.group_id, bool_or(f.verdict is not null) as has_verdict
      from touched t
      cross join lateral (
        select * from finding where group_id = t.group_id and closed_at is null offset 0
      ) f
      where exists (
          select from vex_document d where d.workspace_id = f.workspace_id and d.family_id = f.family_id
        )
        or exists (select from verdict_decision d where d.family_id = f.family_id)
      group by 1, 2, 3
    ),
    ${namesAndParts(sql`select distinct group_id from judged`)}
    select distinct j.workspace_id as "workspaceId", j.family_id as "familyId"
    from judged j
    join family y on y.id = j.family_id and y.archived_at is null and y.deleted_at is null
    where (j.has_verdict
      or exists (
        select
        from group_name n
        join vex_claim c on c.family_id = j.family_id and c.vulnerability_id = n.id
        where n.group_id = j.group_id
      )
      or exists (
        select
        from group_name n
        join verdict_decision d on d.family_id = j.family_id and d.vulnerability_id = n.id and d.ended_at is null
        where n.group_id = j.group_id
      ))
    order by 2`.execute(db)
  return rows
}
