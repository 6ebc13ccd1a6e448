import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { newId } from '../../platform/random.ts'
import { recordActs } from '../../audit/record-acts.ts'
import { system } from '../record/timeline.ts'
import { subjectKey } from './plan-openings.ts'
import type { Candidate } from '../../vulnerabilities/openings/select-candidates.ts'

type Held = {
  workspaceId: string
  familyIds: readonly string[]
  /** Everything that is suppressed in these families now. */
  suppressed: readonly Candidate[]
  now: Date
}

/** Records what the verdict of an uploaded document suppresses, and ends the record once it no longer does. */
export async function keepSuppressed(
  tx: Tx,
  { workspaceId, familyIds, suppressed, now }: Held,
): Promise<void> {
  const { rows: kept } = await sql<Kept>`
    select id, family_id as "familyId", version_id as "versionId", identity_id as "identityId", vuln_key as "vulnKey",
      document_id as "documentId"
    from suppressed_opening
    where workspace_id = ${workspaceId} and family_id = any(${uuidList(familyIds)}) and ended_at is null`.execute(
    tx,
  )
  const known = new Set(kept.map(traceKey))
  const held = new Map(
    oneOfEachSubject(suppressed, known).map((candidate) => [traceKey(candidate), candidate]),
  )
  const ended = kept.filter((trace) => !held.has(traceKey(trace))).map(({ id }) => id)
  if (ended.length > 0) {
    await tx.updateTable('suppressed_opening').set({ ended_at: now }).where('id', 'in', ended).execute()
  }
  const fresh = [...held].filter(([key]) => !known.has(key)).map(([, candidate]) => candidate)
  if (fresh.length === 0) return
  const rows = fresh.map((candidate) => rowOf(candidate, { workspaceId, now }))
  await tx.insertInto('suppressed_opening').values(rows).execute()
  await recordActs(
    tx,
    rows.map(({ id, vuln_key, document_id, statement }) => ({
      workspaceId,
      actor: system,
      at: now,
      action: 'incident.opening_suppressed',
      object: { kind: 'suppressed_opening', id, name: vuln_key },
      after: { documentId: document_id, statement },
    })),
  )
}

type Kept = {
  id: string
  familyId: string
  versionId: string | null
  identityId: string
  vulnKey: string
  documentId: string
}

/**
 * A component may have findings on the vulnerability's own record and on a notice that names it, declared away by two documents: the
 * trace of one of them stands for both, and stays that one.
 */
function oneOfEachSubject(suppressed: readonly Candidate[], known: ReadonlySet<string>): Candidate[] {
  const bySubject = Map.groupBy(suppressed, subjectKey)
  return [...bySubject.values()].flatMap(
    (candidates) => candidates.find((candidate) => known.has(traceKey(candidate))) ?? candidates.slice(0, 1),
  )
}

/** Another document with the same verdict is another reason. */
function traceKey(
  trace: Pick<Kept, 'familyId' | 'versionId' | 'identityId' | 'vulnKey'> & { documentId: string | null },
) {
  return `${subjectKey(trace)} ${trace.documentId}`
}

function rowOf(candidate: Candidate, { workspaceId, now }: { workspaceId: string; now: Date }) {
  const { documentId, statement, verdict } = candidate
  if (documentId === null || statement === null || verdict === null) {
    throw new Error('an opening can only be held back by a statement of a document')
  }
  return {
    id: newId(now),
    workspace_id: workspaceId,
    family_id: candidate.familyId,
    version_id: candidate.versionId,
    identity_id: candidate.identityId,
    group_id: candidate.groupId,
    vuln_key: candidate.vulnKey,
    component: candidate.component,
    component_version: candidate.componentVersion,
    version: candidate.version,
    document_id: documentId,
    statement,
    verdict,
    since: now,
    ended_at: null,
  }
}
