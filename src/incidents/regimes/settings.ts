import type { RegimeSettings } from '../../contract/incidents/regimes.ts'
import type { Db } from '../../database/connection.ts'

/** Of a workspace that has changed nothing: the defaults of the columns. */
export const defaultRegimeSettings: RegimeSettings = {
  cra: true,
  digitalsikkerhetsloven: false,
  gdpr: true,
  dora: false,
  mainEstablishment: null,
  authorities: {},
  confirmed: {},
  doraFacts: {},
}

/** The regimes that a workspace reports under, and to whom. */
export async function selectRegimeSettings(db: Db, workspaceId: string): Promise<RegimeSettings> {
  const stored = await db
    .selectFrom('regime_settings')
    .select([
      'cra',
      'digitalsikkerhetsloven',
      'gdpr',
      'dora',
      'main_establishment as mainEstablishment',
      'authorities',
      'confirmed',
      'dora_facts as doraFacts',
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return stored ?? defaultRegimeSettings
}
