import { sql } from 'kysely'
import type { Decision, DecisionState } from '../../contract/findings/verdict.ts'
import type { Justification, Verdict } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import type { DecisionSubject } from './decision.ts'

const shownDecisions = 100

type StoredDecision = {
  id: string
  verdict: Verdict
  justification: Justification | null
  comment: string
  every_version: boolean
  version: string | null
  decided_by_name: string
  decided_at: Date
  expires_at: Date | null
  ended_at: Date | null
  ended_by_name: string | null
  replaced_by: string | null
  batch_id: string | null
  together: number
}

/** What members decided on a subject, ended decisions included, the newest first; at most 100. Index verdict_decision_history. */
export async function selectDecisions(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
  { familyId, versionId, packageKey, names }: Omit<DecisionSubject, 'vulnerabilityId'>,
): Promise<Decision[]> {
  const { rows } = await sql<StoredDecision>`
    select d.id, d.verdict, d.justification, d.comment, d.every_version, p.name as version, d.decided_by_name, d.decided_at,
      d.expires_at, d.ended_at, d.ended_by_name, d.replaced_by, d.batch_id, (
        select count(*) from verdict_decision b
        where b.batch_id = d.batch_id and b.workspace_id = d.workspace_id and b.ended_at is null
          and (b.expires_at is null or b.expires_at > ${now}::timestamptz)
      ) as together
    from verdict_decision d
    left join product_version p on p.id = d.version_id
    where d.workspace_id = ${workspaceId} and d.family_id = ${familyId} and d.package_key = ${packageKey}
      and d.vulnerability_id = any(${names}::text[])
      and (d.every_version or d.version_id is not distinct from ${versionId}::uuid)
    order by d.decided_at desc, d.id desc
    limit ${shownDecisions}`.execute(db)
  return rows.map((row) => toDecision(row, now))
}

function toDecision(row: StoredDecision, now: Date): Decision {
  const state = stateOf(row, now)
  const endedAt = state === 'expired' ? row.expires_at : row.ended_at
  return {
    id: row.id,
    verdict: row.verdict,
    justification: row.justification,
    comment: row.comment,
    everyVersion: row.every_version,
    version: row.version,
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    state,
    endedAt: endedAt?.toISOString() ?? null,
    endedBy: row.ended_by_name,
    batch: row.batch_id === null ? null : { id: row.batch_id, inForce: row.together },
  }
}

/** One that had expired before a later decision took its place has expired. */
function stateOf({ ended_at, expires_at, replaced_by }: StoredDecision, now: Date): DecisionState {
  const until = ended_at ?? now
  if (expires_at !== null && expires_at <= until) return 'expired'
  if (ended_at === null) return 'in_force'
  return replaced_by === null ? 'revoked' : 'replaced'
}
