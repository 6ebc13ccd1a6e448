import type { Regime } from '../../../contract/alerts/events.ts'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { Db } from '../../../database/connection.ts'
import type { Incident } from '../../record/lock-incident.ts'
import { fieldsOf, type DraftStage } from '../../../report-forms/forms.ts'
import { utcSecond } from '../utc-second.ts'

/** The fields of each form that ask when one became aware. */
const awarenessFields: Record<Regime, readonly string[]> = {
  cra: ['v26', 'i37'],
  digitalsikkerhetsloven: [],
  gdpr: ['aware_at'],
  dora: ['aware_at'],
}

/** The time of awareness that counts, once it was changed: a draft of before states another one. A regime with a time of its own keeps that. */
export async function changedAwareness(db: Db, incident: Incident, draft: DraftStage): Promise<KeptValue[]> {
  const changedAt = await selectLastChange(db, incident)
  if (changedAt === null || (await hasOwnTime(db, incident, draft.regime))) return []
  const value = utcSecond(incident.aware_at)
  return fieldsOf(draft)
    .filter(({ id }) => awarenessFields[draft.regime].includes(id))
    .map(({ id: field }) => ({ field, value, with: 'incident', changedAt: changedAt.toISOString() }))
}

async function selectLastChange(db: Db, { id, workspace_id }: Incident): Promise<Date | null> {
  const { at } = await db
    .selectFrom('awareness_change')
    .select(({ fn }) => fn.max(fn.coalesce('decided_at', 'recorded_at')).as('at'))
    .where('workspace_id', '=', workspace_id)
    .where('incident_id', '=', id)
    .where('regime', 'is', null)
    .where('state', 'in', ['in_force', 'approved'])
    .executeTakeFirstOrThrow()
  return at
}

async function hasOwnTime(db: Db, { id }: Incident, regime: Regime): Promise<boolean> {
  const own = await db
    .selectFrom('incident_regime')
    .select('aware_at')
    .where('incident_id', '=', id)
    .where('regime', '=', regime)
    .executeTakeFirst()
  return own !== undefined && own.aware_at !== null
}
