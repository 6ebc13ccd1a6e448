import { ServiceError } from '../../contract/errors.ts'
import type { Regime } from '../../contract/alerts/events.ts'
import type { DeterminationScope } from '../../contract/incidents/words.ts'
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
  const classified = await tx
    .selectFrom('determination')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('incident_id', '=', id)
    .where('scope', '=', 'dora')
    .limit(1)
    .executeTakeFirst()
  if (classified === undefined) await refuseUnset(tx, workspace_id, 'dora')
}

/** What can be determined on an incident with these determinations. One that was classified under DORA can be classified again, whatever has been set since. */
export async function selectScopes(
  db: Db,
  workspaceId: string,
  determinations: readonly { scope: DeterminationScope }[],
): Promise<DeterminationScope[]> {
  const { dora } = await selectRegimeSettings(db, workspaceId)
  return dora || determinations.some(({ scope }) => scope === 'dora') ? ['cra', 'dora'] : ['cra']
}
