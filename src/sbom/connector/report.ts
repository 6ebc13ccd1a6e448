import type { ConnectorReport } from '../../contract/connector/shapes.ts'
import { errorCodes } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { senderToldApart } from '../../products/tokens/told-apart.ts'

/** What the connector of a family was told. Served by connector_refusal_family; its rows are bounded. */
export async function selectConnectorReport(db: Db, family: FamilyKey): Promise<ConnectorReport> {
  const rows = await db
    .selectFrom('connector_refusal')
    .selectAll()
    .select(senderToldApart('connector_refusal', 'token_name').as('sender'))
    .where('workspace_id', '=', family.workspaceId)
    .where('family_id', '=', family.familyId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const test = await db
    .selectFrom('connector_test')
    .selectAll()
    .where('workspace_id', '=', family.workspaceId)
    .where('family_id', '=', family.familyId)
    .executeTakeFirst()
  return {
    refusals: rows.map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      times: row.times,
      status: errorCodes[row.error].status,
      error: row.error,
      detail: row.detail,
      group: row.notification_group,
      projectName: row.project_name,
      projectVersion: row.project_version,
      sizeBytes: row.size_bytes,
      tokenName: row.sender,
      resolvedAt: row.resolved_at?.toISOString() ?? null,
    })),
    unresolved: rows.filter(({ resolved_at }) => resolved_at === null).length,
    lastTest: test
      ? { at: test.at.toISOString(), group: test.notification_group, tokenName: test.token_name }
      : null,
  }
}
