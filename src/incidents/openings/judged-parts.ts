import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import type { StoredVerdict } from '../../findings/verdicts/refresh-verdicts.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { judgeParts, type Part } from '../../vulnerabilities/openings/judge-candidates.ts'

export type JudgedPart = Part & Pick<StoredVerdict, 'verdict' | 'document_id' | 'decision_id'>

/** The verdicts on what open incidents of these families are about, where that is one CVE of a notice of several. Index incident_family_of. */
export async function selectJudgedParts(
  tx: Tx,
  { workspaceId, familyIds, now }: { workspaceId: string; familyIds: readonly string[]; now: Date },
): Promise<JudgedPart[]> {
  const { rows: parts } = await sql<Part>`
    select distinct a.family_id as "familyId", a.version_id as "versionId", a.identity_id as "identityId", a.group_id as "groupId",
      coalesce(i.package_key, i.subject) as "packageKey", a.vuln_key as "vulnKey"
    from incident_family y
    join incident_affected a on a.incident_id = y.incident_id and a.family_id = y.family_id
    join vulnerability_group g on g.id = a.group_id and g.cves like '% %' and a.vuln_key = any(string_to_array(g.cves, ' '))
    join component_identity i on i.id = a.identity_id
    where y.workspace_id = ${workspaceId} and y.family_id = any(${uuidList(familyIds)}) and y.is_open`.execute(
    tx,
  )
  const judged = await judgeParts(tx, { workspaceId, parts, now })
  return [...judged].map(([part, { verdict, document_id, decision_id }]) => ({
    ...part,
    verdict,
    document_id,
    decision_id,
  }))
}
