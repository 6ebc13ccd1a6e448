import { sql } from 'kysely'
import type { Regime } from '../../../contract/alerts/events.ts'
import type { KeptValue } from '../../../contract/incidents/kept-values.ts'
import type { Db } from '../../../database/connection.ts'
import { fieldsOf, type DraftStage } from '../../../report-forms/forms.ts'
import type { Incident } from '../../record/lock-incident.ts'
import { selectDraftFacts } from '../known-facts.ts'
import { prefillDraft } from '../prefill-draft.ts'

type Fact = 'title' | 'memberStates' | 'affected' | 'occurred' | 'measure' | 'awareness' | 'classification'

/** The fields that state a fact of the incident alone. Whole texts also name facts, but are people's own words. */
const fieldsOfFacts: Record<Regime, Readonly<Record<string, Fact>>> = {
  cra: {
    '2': 'title',
    '5': 'memberStates',
    '7': 'affected',
    '12': 'affected',
    v22: 'measure',
    v26: 'awareness',
    v26a: 'occurred',
    i37: 'awareness',
    i38: 'occurred',
  },
  digitalsikkerhetsloven: {},
  gdpr: { aware_at: 'awareness' },
  dora: {
    aware_at: 'awareness',
    classified_at: 'classification',
    member_states: 'memberStates',
    occurred_at: 'occurred',
  },
}

/** What the incident says now, of each fact that has changed since it was opened: a draft of before states another one. */
export async function changedFacts(db: Db, incident: Incident, draft: DraftStage): Promise<KeptValue[]> {
  const changed = await selectChanges(db, incident, draft.regime)
  const fields = fieldsOf(draft).flatMap(({ id, input }) => {
    const fact = fieldsOfFacts[draft.regime][id]
    const changedAt = fact === undefined ? null : changed[fact]
    return changedAt === null ? [] : [{ id, input, changedAt }]
  })
  if (fields.length === 0) return []
  const now = prefillDraft(await selectDraftFacts(db, incident, draft.regime), draft)
  return fields.map(({ id: field, input, changedAt }) => {
    const none = input.kind === 'list' ? [] : ''
    return { field, value: now[field] ?? none, with: 'incident', changedAt: changedAt.toISOString() }
  })
}

type Changes = Record<Fact, Date | null>

/** When each fact changed last; null: never. */
async function selectChanges(db: Db, incident: Incident, regime: Regime): Promise<Changes> {
  const { id, workspace_id: workspaceId, opened_at: openedAt, cycle } = incident
  const edited = (name: string) => sql<Date | null>`(
    select max(at) from incident_entry
    where workspace_id = ${workspaceId} and incident_id = ${id} and kind in ('facts_changed', 'measure_changed')
      and data -> 'after' ? ${name}
  )`
  const { rows } = await sql<Changes>`
    select ${edited('title')} as title, ${edited('memberStates')} as "memberStates",
      ${edited('occurredAt')} as occurred, ${edited('measureAvailableAt')} as measure,
      (
        select max(added_at) from incident_affected
        where workspace_id = ${workspaceId} and incident_id = ${id} and added_at > ${openedAt}
      ) as affected,
      ${awarenessChange(incident, regime)} as awareness,
      (
        select max(recorded_at) from determination
        where workspace_id = ${workspaceId} and incident_id = ${id} and cycle = ${cycle}
          and value = 'dora_major'
        having count(*) > 1
      ) as classification`.execute(db)
  const [changes] = rows
  if (changes === undefined) throw new Error('a statement without a table has one row')
  return changes
}

/** A regime with a time of its own keeps that, whatever the incident's; an earlier one is given where it is switched on again. */
function awarenessChange({ id, workspace_id: workspaceId }: Incident, regime: Regime) {
  return sql<Date | null>`(
    case when exists (
      select from incident_regime where incident_id = ${id} and regime = ${regime} and aware_at is not null
    ) then (
      select max(at) filter (where data ->> 'awareAt' is not null) from incident_entry
      where workspace_id = ${workspaceId} and incident_id = ${id} and kind = 'regime_on' and data ->> 'regime' = ${regime}
      having count(*) > 1
    ) else (
      select max(coalesce(decided_at, recorded_at)) from awareness_change
      where workspace_id = ${workspaceId} and incident_id = ${id} and regime is null
        and state in ('in_force', 'approved')
    ) end
  )`
}
