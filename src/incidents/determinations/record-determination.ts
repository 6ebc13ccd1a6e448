import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits, minReasoningCharacters } from '../../contract/incidents/limits.ts'
import {
  negativeValues,
  valuesFor,
  type DeterminationScope,
  type DeterminationValue,
} from '../../contract/incidents/words.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from '../record/lock-incident.ts'
import { noteAct } from '../record/note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { emit, nameOf } from '../record/tell.ts'
import { refuseWithoutDora } from '../regimes/where-set.ts'
import { selectReportFacts, settleReports } from '../reports/settle-reports.ts'
import { selectApprovers } from './approvers.ts'
import { recordedColumns } from './second-person.ts'

export type NewDetermination = {
  value: DeterminationValue
  /** At least 20 characters. */
  reasoning: string
  evidence?: string[]
  /** When it was classified as major (DORA); now when it is left out. */
  classifiedAt?: string
}

const maxEvidence = 20

/**
 * Records a determination, which waits for a second person. One that requires a report takes effect at once, the others only when approved.
 * Destinations and approvers are told. Codes: `not_found`, `invalid_request`, `conflict` (closed; another one of the scope is pending; it is about
 * DORA, under which the workspace does not report).
 */
export async function recordDetermination(
  db: Db,
  act: IncidentAct,
  given: NewDetermination,
): Promise<string> {
  const { actor, now } = act
  const { value } = given
  const scope: DeterminationScope = value.startsWith('dora_') ? 'dora' : 'cra'
  return onIncident(db, act, async (tx, incident) => {
    refuseClosed(incident)
    const read = readDetermination(incident, { given, scope, now })
    if (scope === 'dora') await refuseWithoutDora(tx, incident)
    await refuseWhilePending(tx, incident, scope)
    const everybody = await selectApprovers(tx, incident.workspace_id)
    const approvers = everybody.filter(({ personId }) => personId !== actor.id).length
    const runsSince =
      value === 'dora_major' ? await classifiedSince(tx, incident, read.classifiedAt ?? now) : null
    if (!negativeValues.includes(value)) await supersede(tx, incident, scope)
    const id = await insertDetermination(tx, incident, { act, ...read, scope, value, approvers })
    if (runsSince !== null) await beginDora(tx, incident, { classifiedAt: runsSince, act })
    await settleReports(tx, incident, now)
    const data = { determinationId: id, scope, value, approvers }
    await noteAct(tx, incident, { actor, now, kind: 'determination_recorded', data, after: data })
    const fact = {
      type: 'approval.requested' as const,
      data: { incident: nameOf(incident), determination: value, scope, approvers },
    }
    await emit(tx, incident, { eventId: id, fact, except: [actor.id], now })
    return id
  })
}

type Inserted = ReturnType<typeof readDetermination> & {
  act: IncidentAct
  scope: DeterminationScope
  value: DeterminationValue
  approvers: number
}

async function insertDetermination(
  tx: Tx,
  incident: Incident,
  { act, scope, value, reasoning, evidence, classifiedAt, approvers }: Inserted,
): Promise<string> {
  const row = {
    ...recordedColumns(incident, act),
    scope,
    value,
    state: 'pending' as const,
    cycle: incident.cycle,
    reasoning,
    evidence,
    classified_at: classifiedAt,
    approvers,
  }
  await tx.insertInto('determination').values(row).execute()
  return row.id
}

type Given = { given: NewDetermination; scope: DeterminationScope; now: Date }

function readDetermination(incident: Incident, { given, scope, now }: Given) {
  const input = new InputReader()
  const allowed = valuesFor[incident.kind][scope]
  if (!allowed.includes(given.value)) {
    input.refuse('value', `This kind of incident takes ${allowed.join(', ')}.`)
  }
  const reasoning = input.text('reasoning', given.reasoning, {
    min: minReasoningCharacters,
    max: incidentLimits.reasoningCharacters,
  })
  const evidence = input.links('evidence', given.evidence ?? [], maxEvidence)
  const classifiedAt =
    given.value !== 'dora_major'
      ? null
      : given.classifiedAt === undefined
        ? now
        : input.time('classifiedAt', given.classifiedAt, {
            now,
            notBefore: { at: incident.aware_at, what: 'the awareness' },
          })
  input.finish()
  return { reasoning, evidence, classifiedAt }
}

async function refuseWhilePending(tx: Tx, { id }: Incident, scope: DeterminationScope): Promise<void> {
  const pending = await tx
    .selectFrom('determination')
    .select(['recorded_by_name', 'value'])
    .where('incident_id', '=', id)
    .where('scope', '=', scope)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (pending === undefined) return
  throw new ServiceError('conflict', {
    message: `The determination that ${pending.recorded_by_name} recorded waits for approval. It has to be decided or withdrawn first.`,
  })
}

/** What was approved in the scope is replaced. */
export async function supersede(tx: Tx, { id, cycle }: Incident, scope: DeterminationScope): Promise<void> {
  await tx
    .updateTable('determination')
    .set({ state: 'superseded' })
    .where('incident_id', '=', id)
    .where('scope', '=', scope)
    .where('cycle', '=', cycle)
    .where('state', '=', 'approved')
    .execute()
}

/**
 * Its clock does not restart while it runs, nor once it was switched off: a second classification does not postpone deadlines. After a
 * classification that was rejected, or ended by its opposite, it starts again.
 */
async function classifiedSince(tx: Tx, incident: Incident, given: Date): Promise<Date> {
  const { regimes } = await selectReportFacts(tx, incident)
  const dora = regimes.find(({ regime }) => regime === 'dora')
  const running = dora?.waiver === null ? dora.classifiedAt : null
  return running !== null && running < given ? running : given
}

async function beginDora(
  tx: Tx,
  { id, workspace_id }: Incident,
  { classifiedAt, act }: { classifiedAt: Date; act: IncidentAct },
): Promise<void> {
  const values = {
    is_active: true,
    classified_at: classifiedAt,
    reason: null,
    changed_at: act.now,
    changed_by_name: act.actor.name,
  }
  await tx
    .insertInto('incident_regime')
    .values({ workspace_id, incident_id: id, regime: 'dora', aware_at: null, waiver: null, ...values })
    .onConflict((conflict) => conflict.columns(['incident_id', 'regime']).doUpdateSet(values))
    .execute()
}
