import type { Tx } from '../../database/connection.ts'
import { chunksOf } from '../../platform/postgres/columns.ts'
import type { Candidate } from '../../vulnerabilities/openings/select-candidates.ts'

const rowsAtOnce = 1_000

/** The maximum that one line of a timeline names. */
export const shownMatches = 20

/**
 * Adds these matches to incidents, as they are now; the timelines say what becomes of them later. Those already there stay as they
 * are.
 */
export async function addAffected(
  tx: Tx,
  added: readonly { incidentId: string; match: Candidate }[],
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  for (const some of chunksOf(added, rowsAtOnce)) {
    await tx
      .insertInto('incident_affected')
      .values(
        some.map(({ incidentId, match }) => ({
          incident_id: incidentId,
          workspace_id: workspaceId,
          family_id: match.familyId,
          version_id: match.versionId,
          version: match.version,
          identity_id: match.identityId,
          group_id: match.groupId,
          vuln_key: match.vulnKey,
          component: match.component,
          component_version: match.componentVersion,
          purl: match.purl,
          listed_by: match.listedBy,
          added_at: now,
          ...notedOf(match),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** A match is always in the SBOM. */
function notedOf({ verdict, documentId }: Candidate) {
  const isSettled = verdict === 'not_affected' || verdict === 'fixed'
  return isSettled ? { noted_verdict: verdict, noted_document_id: documentId } : notDeclared
}

const notDeclared = { noted_verdict: null, noted_document_id: null }
