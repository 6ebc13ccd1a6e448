import { incidentLimits } from '../../contract/incidents/limits.ts'
import { isMemberState } from '../../contract/incidents/member-states.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { settleReports } from '../reports/settle-reports.ts'
import { onIncident, refuseClosed, type Incident, type IncidentAct } from './lock-incident.ts'
import { noteAct } from './note-act.ts'
import { InputReader } from '../../platform/input-reader.ts'

/** What is left out stays as it is; null removes a time. */
export type ChangedFacts = {
  title?: string
  occurredAt?: string | null
  measureAvailableAt?: string | null
  memberStates?: string[]
  severity?: Severity
}

type FactColumns = Pick<
  Incident,
  'title' | 'occurred_at' | 'measure_available_at' | 'member_states' | 'severity'
>

/**
 * Changes what is known of an incident. The time when a measure became available moves the final report of an exploited vulnerability.
 * Codes: `not_found`, `invalid_request`, `conflict` (closed).
 */
export async function changeFacts(db: Db, act: IncidentAct, given: ChangedFacts): Promise<void> {
  await onIncident(db, act, async (tx, incident) => {
    refuseClosed(incident)
    const { actor, now } = act
    const changed = readFacts(given, now)
    const before = shown(incident)
    const after = shown({ ...incident, ...changed })
    const names = Object.keys(after).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (names.length === 0) return
    await tx.updateTable('incident').set(changed).where('id', '=', incident.id).execute()
    await settleReports(tx, { ...incident, ...changed }, now)
    const only = (facts: Record<string, unknown>) =>
      Object.fromEntries(names.map((name) => [name, facts[name]]))
    const data = { before: only(before), after: only(after) }
    const kind = names.includes('measureAvailableAt') ? 'measure_changed' : 'facts_changed'
    await noteAct(tx, incident, { actor, now, kind, data, action: 'incident.facts_changed', ...data })
  })
}

function readFacts(given: ChangedFacts, now: Date): Partial<FactColumns> {
  const input = new InputReader()
  const changed: Partial<FactColumns> = {}
  if (given.title !== undefined)
    changed.title = input.line('title', given.title, incidentLimits.titleCharacters)
  if (given.severity !== undefined) changed.severity = given.severity
  if (given.occurredAt !== undefined) {
    changed.occurred_at =
      given.occurredAt === null ? null : input.time('occurredAt', given.occurredAt, { now })
  }
  if (given.measureAvailableAt !== undefined) {
    const at = given.measureAvailableAt
    changed.measure_available_at = at === null ? null : input.time('measureAvailableAt', at, { now })
  }
  if (given.memberStates !== undefined) {
    const states = [...new Set(given.memberStates)].sort()
    const unknown = states.find((state) => !isMemberState(state))
    if (unknown !== undefined)
      input.refuse('memberStates', 'Two-letter codes of EU and EEA countries are required.')
    changed.member_states = states
  }
  input.finish()
  return changed
}

function shown(incident: FactColumns): Record<string, unknown> {
  return {
    title: incident.title,
    occurredAt: incident.occurred_at?.toISOString() ?? null,
    measureAvailableAt: incident.measure_available_at?.toISOString() ?? null,
    memberStates: incident.member_states,
    severity: incident.severity,
  }
}
