import { ServiceError } from '../../contract/errors.ts'
import type { Regime } from '../../contract/alerts/events.ts'
import type { DeterminationScope } from '../../contract/incidents/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Incident } from '../record/lock-incident.ts'
import { selectRegimeSettings } from './settings.ts'

/** Codes: `conflict`: the workspace does not report under the regime. */
export async function refuseUnset(tx: Tx, workspaceId: string, regime: Regime): Promise<void> {
  const settings = await selectRegimeSettings(tx, workspaceId)
  if (settings[regime]) return
  throw new ServiceError('conflict', {
    message:
      'The workspace does not report under this regime. Which ones it reports under is set in Settings, Regimes.',
  })
}

/** Codes: `conflict`: the workspace does not report under DORA, and the incident was never classified. */
export async function refuseWithoutDora(tx: Tx, { id, workspace_id }: Incident): Promise<void> {
  if (await wasClassified(tx, workspace_id, id)) return
  await refuseUnset(tx, workspace_id, 'dora')
}

/** What can be determined on an incident. One that was classified under DORA can be classified again, whatever is set since. */
export async function selectScopes(
  db: Db,
  { workspaceId, incidentId }: { workspaceId: string; incidentId: string },
): Promise<DeterminationScope[]> {
  const { dora } = await selectRegimeSettings(db, workspaceId)
  return dora || (await wasClassified(db, workspaceId, incidentId)) ? ['cra', 'dora'] : ['cra']
}

async function wasClassified(db: Db, workspaceId: string, incidentId: string): Promise<boolean> {
  const determination = await db
    .selectFrom('determination')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .where('scope', '=', 'dora')
    .limit(1)
    .executeTakeFirst()
  return determination !== undefined
}
