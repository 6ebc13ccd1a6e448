import { ServiceError } from '../../contract/errors.ts'
import type { Regime } from '../../contract/events.ts'
import { shortestReasoning } from '../../contract/incidents.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../record/read-input.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { selectRegimeSettings } from './settings.ts'

export type RegimeSwitch = {
  regime: Regime
  active: boolean
  /** Why it is switched off. */
  reason?: string
  /** Of a personal data breach, when other than that of the incident. */
  awareAt?: string
}

/**
 * Has a regime apply to an incident, or apply no more: its reports that are not submitted are not required then. Switching one off takes a
 * lead and a reason. DORA begins with the classification as major. Codes: `not_found`, `forbidden`, `invalid_request`, `conflict` (closed; it is
 * switched so already; the workspace does not report under it).
 */
export async function switchRegime(
  db: Db,
  act: IncidentAct & { role: Role },
  given: RegimeSwitch,
): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    const { actor, now } = act
    const { regime, active } = given
    refuseClosed(incident)
    if (!active && !isAllowed(act.role, 'approve_incidents')) throw new ServiceError('forbidden')
    const { reason, awareAt } = readSwitch(given, now)
    const settings = await selectRegimeSettings(tx, incident.workspace_id)
    if (active && !settings[regime]) {
      throw new ServiceError('conflict', {
        message:
          'The workspace does not report under this regime. Which ones it reports under is set in Settings, Regimes.',
      })
    }
    await refuseSwitched(tx, incident, given)
    const values = {
      is_active: active,
      aware_at: awareAt,
      waiver: null,
      reason,
      changed_at: now,
      changed_by_name: actor.name,
    }
    await tx
      .insertInto('incident_regime')
      .values({
        workspace_id: incident.workspace_id,
        incident_id: incident.id,
        regime,
        classified_at: null,
        ...values,
      })
      .onConflict((conflict) => conflict.columns(['incident_id', 'regime']).doUpdateSet(values))
      .execute()
    await settleReports(tx, incident, now)
    const kind = active ? 'regime_on' : 'regime_off'
    const data = { regime, reason, awareAt: awareAt?.toISOString() ?? null }
    await noteAct(tx, incident, { actor, now, kind, data, after: { regime, awareAt: data.awareAt } })
  })
}

/** Switched on a second time, it would count again, from whatever time is given then. */
async function refuseSwitched(tx: Tx, { id }: Incident, { regime, active }: RegimeSwitch): Promise<void> {
  const known = await tx
    .selectFrom('incident_regime')
    .select(['is_active', 'waiver', 'changed_by_name', 'changed_at'])
    .where('incident_id', '=', id)
    .where('regime', '=', regime)
    .executeTakeFirst()
  const isSame = active ? known?.is_active === true && known.waiver === null : known?.is_active !== true
  if (!isSame) return
  const by = known === undefined ? '' : `: ${known.changed_by_name}, ${known.changed_at.toISOString()}`
  throw new ServiceError('conflict', {
    message: `This regime is already switched ${active ? 'on' : 'off'} on this incident${by}.`,
  })
}

function readSwitch({ regime, active, reason, awareAt }: RegimeSwitch, now: Date) {
  const input = new InputReader()
  if (active && regime === 'dora') {
    input.refuse(
      'regime',
      'DORA begins when the incident is classified as major: record the determination dora_major.',
    )
  }
  const why = active ? null : input.text('reason', reason ?? '', { min: shortestReasoning, max: 4_000 })
  const own =
    regime === 'gdpr' && active && awareAt !== undefined ? input.time('awareAt', awareAt, { now }) : null
  input.finish()
  return { reason: why, awareAt: own }
}
