import { sql } from 'kysely'
import { regimes, reportStages } from '../../contract/alerts/events.ts'
import type { RegimeOnIncident, RelatedIncident } from '../../contract/incidents/shapes.ts'
import {
  suggestedRegimes,
  type IncidentKind,
  type ReportState,
  type SuggestedRegime,
} from '../../contract/incidents/words.ts'
import { authorityOf } from '../../contract/incidents/regimes.ts'
import type { Db } from '../../database/connection.ts'
import { isOnSameVulnerability } from '../record/linked.ts'
import { selectRegimeSettings } from '../regimes/settings.ts'
import { reportColumns, type StoredReport } from './report-summary.ts'
import type { IncidentKey } from './select-decisions.ts'

/** The regimes of an incident in their order, with whom to report to. */
export async function selectRegimes(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
  awareAt: Date,
): Promise<RegimeOnIncident[]> {
  const { authorities } = await selectRegimeSettings(db, workspaceId)
  const rows = await db
    .selectFrom('incident_regime')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .execute()
  return rows
    .toSorted((one, other) => regimes.indexOf(one.regime) - regimes.indexOf(other.regime))
    .map((row) => ({
      regime: row.regime,
      isActive: row.is_active,
      awareAt: (row.aware_at ?? awareAt).toISOString(),
      hasOwnAwareness: row.aware_at !== null,
      classifiedAt: row.classified_at?.toISOString() ?? null,
      reason: row.reason,
      authority: authorityOf(row.regime, authorities),
    }))
}

/** The regimes to ask about for this kind of incident: a vulnerability as such has no effect on a service. */
const suggestedFor: Record<IncidentKind, readonly SuggestedRegime[]> = {
  vulnerability: ['gdpr'],
  severe_incident: suggestedRegimes,
}

/** Of those that the workspace reports under, the ones that were neither switched on nor off. */
export async function selectSuggested(
  db: Db,
  { workspaceId }: IncidentKey,
  { kind, regimes: known }: { kind: IncidentKind; regimes: readonly RegimeOnIncident[] },
): Promise<SuggestedRegime[]> {
  const settings = await selectRegimeSettings(db, workspaceId)
  return suggestedFor[kind].filter(
    (regime) => settings[regime] && !known.some((one) => one.regime === regime),
  )
}

/** The reports of every cycle: by regime, cycle and stage. */
export async function selectReports(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
): Promise<(StoredReport & { state: ReportState })[]> {
  const { rows } = await sql<StoredReport>`
    select ${reportColumns('r')} from regime_report r
    where r.incident_id = ${incidentId} and r.workspace_id = ${workspaceId}`.execute(db)
  return rows.toSorted((one, other) => place(one) - place(other))
}

function place({ regime, cycle, report }: StoredReport): number {
  return regimes.indexOf(regime) * 10_000 + cycle * 10 + reportStages.indexOf(report)
}

const shownRelated = 20

/** The ones it follows and that follow it, then others about the same vulnerability. Indexes incident_vuln_key, incident_list. */
export async function selectRelated(
  db: Db,
  { workspaceId, incidentId }: IncidentKey,
  about: { vulnKey: string | null; follows: string | null },
): Promise<RelatedIncident[]> {
  const { rows } = await sql<RelatedIncident>`
    select i.id, i.reference, i.title, i.status,
      case when i.id = ${about.follows}::uuid then 'follows' when i.follows = ${incidentId}::uuid then 'followed_by'
        else 'same_vulnerability' end as relation
    from incident i
    where i.workspace_id = ${workspaceId} and i.id <> ${incidentId}
      and (i.id = ${about.follows}::uuid or i.follows = ${incidentId}::uuid or ${isOnSameVulnerability({ id: incidentId, vulnKey: about.vulnKey })})
    order by i.vuln_key = ${about.vulnKey} and i.id is distinct from ${about.follows}::uuid, i.opened_at desc, length(i.reference), i.reference
    limit ${shownRelated}`.execute(db)
  return rows
}
