import { ServiceError } from '../../contract/errors.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import type { Regime } from '../../contract/alerts/events.ts'
import { valueNames } from '../../contract/incidents/incident-names.ts'
import { reasonLength } from '../../contract/incidents/limits.ts'
import { isAllowed, type Role } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { requestRegimeOff } from '../determinations/change-awareness.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { endRegime } from './end-regime.ts'
import { refuseUnset } from './where-set.ts'

export type RegimeSwitch = {
  regime: Regime
  active: boolean
  /** Why it is switched off. */
  reason?: string
  /** Of a personal data breach, when other than that of the incident. */
  awareAt?: string
}

/**
 * Makes a regime apply to an incident, or no longer apply: its unsubmitted reports are then not required. Switching one off takes a lead and a
 * reason, and while one of its reports is open a second person: true is returned where it waits for that. Switched on again, its reports have
 * their original times, which only an earlier one changes. DORA begins with the classification as major. Codes: `not_found`, `forbidden`,
 * `invalid_request`, `conflict` (closed; already in that state; another change is pending; the workspace does not report under it).
 */
export async function switchRegime(
  db: Db,
  act: IncidentAct & { role: Role },
  given: RegimeSwitch,
): Promise<boolean> {
  return onIncident(db, act, async (tx, incident) => {
    refuseClosed(incident)
    if (!given.active && !isAllowed(act.role, 'approve_incidents')) throw new ServiceError('forbidden')
    const read = readSwitch(given, act.now)
    if (given.active) await refuseUnset(tx, incident.workspace_id, given.regime)
    await refuseSwitched(tx, incident, given)
    if (read.reason === null) {
      await switchOn(tx, incident, { act, regime: given.regime, awareAt: read.awareAt })
      return false
    }
    return switchOff(tx, incident, { act, regime: given.regime, reason: read.reason })
  })
}

type Switching = { act: IncidentAct; regime: Regime }

async function switchOn(
  tx: Tx,
  incident: Incident,
  { act: { actor, now }, regime, awareAt }: Switching & { awareAt: Date | null },
): Promise<void> {
  const values = {
    is_active: true,
    waiver: null,
    reason: null,
    changed_at: now,
    changed_by_name: actor.name,
  }
  const place = { workspace_id: incident.workspace_id, incident_id: incident.id, regime }
  const first = await firstAwareness(tx, incident, regime)
  const since = awareAt === null || (first !== undefined && first <= awareAt) ? undefined : awareAt
  await tx
    .insertInto('incident_regime')
    .values({ ...place, classified_at: null, aware_at: awareAt, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['incident_id', 'regime'])
        .doUpdateSet(since === undefined ? values : { ...values, aware_at: since }),
    )
    .execute()
  await settleReports(tx, incident, now)
  const at = awareAt?.toISOString() ?? null
  const data = { regime, reason: null, awareAt: at }
  await noteAct(tx, incident, { actor, now, kind: 'regime_on', data, after: { regime, awareAt: at } })
}

/** From when it ran before; undefined: it was never on. */
async function firstAwareness(tx: Tx, incident: Incident, regime: Regime): Promise<Date | undefined> {
  const known = await tx
    .selectFrom('incident_regime')
    .select('aware_at')
    .where('incident_id', '=', incident.id)
    .where('regime', '=', regime)
    .executeTakeFirst()
  return known === undefined ? undefined : (known.aware_at ?? incident.aware_at)
}

/** True: it waits for a second person. */
async function switchOff(
  tx: Tx,
  incident: Incident,
  { act, regime, reason }: Switching & { reason: string },
): Promise<boolean> {
  const { actor, now } = act
  const open = await tx
    .selectFrom('regime_report')
    .select('id')
    .where('incident_id', '=', incident.id)
    .where('cycle', '=', incident.cycle)
    .where('regime', '=', regime)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (open !== undefined && !incident.is_exercise) {
    await requestRegimeOff(tx, incident, { act, regime, reason })
    return true
  }
  await endRegime(tx, incident, { regime, reason, by: actor.name, now })
  const data = { regime, reason, awareAt: null }
  await noteAct(tx, incident, {
    actor,
    now,
    kind: 'regime_off',
    data,
    after: { regime, awareAt: null },
  })
  return false
}

/** Otherwise switching it on again would restart it from whatever time is given then. */
async function refuseSwitched(tx: Tx, { id }: Incident, { regime, active }: RegimeSwitch): Promise<void> {
  const known = await tx
    .selectFrom('incident_regime')
    .select(['is_active', 'waiver', 'changed_by_name', 'changed_at'])
    .where('incident_id', '=', id)
    .where('regime', '=', regime)
    .executeTakeFirst()
  const isSame = active ? known?.is_active === true && known.waiver === null : known?.is_active !== true
  if (!isSame) return
  const by = known === undefined ? '' : `: ${known.changed_by_name}, ${shownSecond(known.changed_at)}`
  throw new ServiceError('conflict', {
    message: `This regime is already switched ${active ? 'on' : 'off'} on this incident${by}.`,
  })
}

function readSwitch({ regime, active, reason, awareAt }: RegimeSwitch, now: Date) {
  const input = new InputReader()
  if (active && regime === 'dora') {
    input.refuse('regime', `DORA begins with a classification: record “${valueNames.dora_major}”.`)
  }
  const why = active ? null : input.text('reason', reason ?? '', reasonLength)
  const own =
    regime === 'gdpr' && active && awareAt !== undefined ? input.time('awareAt', awareAt, { now }) : null
  input.finish()
  return { reason: why, awareAt: own }
}
