import type { IncidentAbout } from '../../contract/alerts/events.ts'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import { stateCapabilities } from '../../contract/workspace/plans.ts'
import { severities, type Severity } from '../../contract/sbom/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { matchAgain } from '../../findings/changes/match-again.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { recordActs } from '../../audit/record-acts.ts'
import { effectiveState } from '../../workspace/state.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { lockOpenings } from '../locks.ts'
import { insertIncidents, type InsertedIncident, type NewIncidentRow } from '../record/insert-incidents.ts'
import { note } from '../record/tell.ts'
import { addEntries, system, type NewEntry } from '../record/timeline.ts'
import { selectRegimeSettings } from '../regimes/settings.ts'
import { addAffected, shownMatches } from './affected.ts'
import { judgeCandidates } from '../../vulnerabilities/openings/judge-candidates.ts'
import { followIdentities } from './follow-identities.ts'
import { noteChanges } from './note-changes.ts'
import { noteListings } from './note-listings.ts'
import { freshCandidates, planOpenings, type NewIncident, type OpeningPlan } from './plan-openings.ts'
import { selectCandidates } from '../../vulnerabilities/openings/select-candidates.ts'
import { selectKnown } from './select-known.ts'
import { keepSuppressed } from './suppressed.ts'
import { selectToldAbout } from './told-about.ts'

type OpeningRun = {
  workspaceId: string
  familyIds: readonly string[]
  /** Since when nothing was opened, where such a pause has just ended. */
  pausedFrom?: string | undefined
}

/** Imports may change the records again meanwhile. After so many times what is stored counts: an incident too many is better than one too late. */
const maxMatchings = 3

/**
 * Opens an incident for every exploited exact match of these families that has none yet (job `open_incidents`), with its clocks and events; records those that an uploaded document suppresses,
 * and notes changes to what open ones are about. Nothing is opened while the workspace is read-only or closed.
 * Running it twice changes nothing. The moment of detection, from which the clocks run, is `now`.
 *
 * A change of a record may name a listed vulnerability and leave the component out at once, and this job is done before the one that compares the two:
 * what is about to open is compared here first. Waiting for that job would delay an opening behind a whole import.
 */
export async function openIncidents(db: Db, run: OpeningRun, now: Date): Promise<void> {
  for (let matchings = 0; ; matchings += 1) {
    const mayMatch = matchings < maxMatchings
    const unmatched = await transact(db, (tx) => openInWorkspace(tx, run, { mayMatch, now }))
    if (unmatched.length === 0) return
    await matchAgain(db, unmatched, now)
  }
}

/** Opens nothing where identities have to be matched first, which it returns. */
async function openInWorkspace(
  tx: Tx,
  { workspaceId, familyIds, pausedFrom }: OpeningRun,
  { mayMatch, now }: { mayMatch: boolean; now: Date },
): Promise<string[]> {
  await lockOpenings(tx, workspaceId)
  const workspace = await selectWorkspace(tx, workspaceId)
  if (!stateCapabilities[effectiveState(workspace, now)].monitoring) return []
  await followIdentities(tx, { workspaceId, familyIds })
  await noteChanges(tx, { workspaceId, familyIds, now })
  const known = await selectKnown(tx, workspaceId, familyIds)
  const candidates = freshCandidates(await selectCandidates(tx, workspaceId, { familyIds }), known)
  const unmatched = candidates.filter(({ awaitsMatching }) => awaitsMatching)
  if (mayMatch && unmatched.length > 0) return [...new Set(unmatched.map(({ identityId }) => identityId))]
  const plan = planOpenings(await judgeCandidates(tx, workspaceId, { candidates, now }), known)
  await keepSuppressed(tx, { workspaceId, familyIds, suppressed: plan.suppressed, now })
  await open(tx, plan.openings, { workspaceId, timeZone: workspace.time_zone, pausedFrom, now })
  await join(tx, plan.joins, { workspaceId, now })
  await noteListings(tx, { workspaceId, familyIds, now })
  return []
}

type OpeningIn = { workspaceId: string; timeZone: string; pausedFrom?: string | undefined; now: Date }

type Opened = { incident: InsertedIncident; opening: NewIncident }

async function open(tx: Tx, openings: readonly NewIncident[], where: OpeningIn): Promise<void> {
  if (openings.length === 0) return
  const { workspaceId, now } = where
  const settings = await selectRegimeSettings(tx, workspaceId)
  const rows = openings.map((opening) => incidentOf(opening, { isCraOn: settings.cra, now }))
  const inserted = await insertIncidents(tx, rows, where)
  const opened = inserted.flatMap((incident, index) => {
    const opening = openings[index]
    return opening === undefined ? [] : [{ incident, opening }]
  })
  await addAffected(
    tx,
    opened.flatMap(({ incident, opening }) =>
      opening.matches.map((match) => ({ incidentId: incident.id, match })),
    ),
    { workspaceId, now },
  )
  await addEntries(
    tx,
    opened.flatMap((one) => entriesOf(one, where)),
  )
  await recordActs(
    tx,
    inserted.map(({ id, reference, vuln_key, source }) => ({
      workspaceId,
      actor: system,
      at: now,
      action: 'incident.opened',
      object: { kind: 'incident', id, name: reference },
      after: { vulnKey: vuln_key, source },
    })),
  )
  await tellOpened(tx, opened, where)
}

async function tellOpened(tx: Tx, opened: readonly Opened[], { workspaceId, now }: OpeningIn): Promise<void> {
  const about = await selectToldAbout(
    tx,
    opened.map(({ incident, opening: { matches } }) => ({ incident, matches })),
  )
  await enqueueAll(
    tx,
    opened.map((one) => ({
      kind: 'emit_event' as const,
      workspaceId,
      runAt: now,
      payload: {
        workspaceId,
        eventId: newId(now),
        fact: { ...openedFact(one), ...toldAbout(about.get(one.incident.id)) },
      },
    })),
  )
}

function incidentOf(opening: NewIncident, { isCraOn, now }: { isCraOn: boolean; now: Date }): NewIncidentRow {
  const { familyId, family, vulnKey, follows, matches } = opening
  const listedBy = catalogues(matches)
  return {
    kind: 'vulnerability',
    title: `${vulnKey} in ${family}`,
    vuln_key: vulnKey,
    aliases: [...new Set(matches.flatMap(({ aliases }) => aliases))].filter((id) => id !== vulnKey),
    source: listedBy.includes('kev') ? 'kev' : 'euvd',
    listed_by: listedBy,
    severity: highest(matches.map(({ severity }) => severity)),
    is_exercise: false,
    opened_by_kind: 'system',
    opened_by: null,
    opened_by_name: system.name,
    aware_at: now,
    occurred_at: null,
    follows,
    families: [{ familyId, vulnKey }],
    regimes: isCraOn ? ['cra'] : [],
  }
}

function entriesOf(
  { incident: { id, source, follows }, opening }: Opened,
  { workspaceId, pausedFrom, now }: OpeningIn,
): NewEntry[] {
  const entry = { workspaceId, incidentId: id, at: now, actor: system }
  const matches = opening.matches.slice(0, shownMatches).map(shownMatch)
  return [
    { ...entry, kind: 'opened', data: { source, matches, count: opening.matches.length } },
    ...(follows === null ? [] : [{ ...entry, kind: 'follow_up' as const, data: { incidentId: follows } }]),
    ...(pausedFrom === undefined
      ? []
      : [{ ...entry, kind: 'monitoring_resumed' as const, data: { pausedFrom } }]),
  ]
}

function shownMatch({
  version,
  component,
  componentVersion,
  purl,
  listedBy,
}: NewIncident['matches'][number]) {
  return { version, component, componentVersion, purl, listedBy }
}

function toldAbout(about: IncidentAbout | undefined): { about?: IncidentAbout } {
  return about === undefined ? {} : { about }
}

function openedFact({ incident: opened, opening: { family } }: Opened) {
  const { id, reference, title, vuln_key, source, aware_at } = opened
  const awareAt = new Date(aware_at).toISOString()
  const incident = {
    id,
    reference,
    title,
    family,
    vulnKey: vuln_key ?? null,
    source: source === 'euvd' ? ('euvd' as const) : ('kev' as const),
    awareAt,
  }
  return { type: 'incident.opened' as const, data: { incident } }
}

async function join(
  tx: Tx,
  joins: OpeningPlan['joins'],
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  await addAffected(
    tx,
    joins.flatMap(({ incidentId, matches }) => matches.map((match) => ({ incidentId, match }))),
    { workspaceId, now },
  )
  await addEntries(
    tx,
    joins.map(({ incidentId, matches }) => ({
      workspaceId,
      incidentId,
      at: now,
      kind: 'affected_added' as const,
      actor: system,
      data: { matches: matches.slice(0, shownMatches).map(shownMatch), count: matches.length },
    })),
  )
  await tellOwners(
    tx,
    joins.map(({ incidentId }) => incidentId),
    now,
  )
}

/** The people on an incident that a member opened are told that a catalogue lists its vulnerability, and which. */
async function tellOwners(tx: Tx, incidentIds: readonly string[], now: Date): Promise<void> {
  if (incidentIds.length === 0) return
  const manual = await tx
    .selectFrom('incident')
    .select(['id', 'reference', 'title', 'workspace_id', 'is_exercise', 'opened_by', 'assignee'])
    .where('id', 'in', incidentIds)
    .where('opened_by', 'is not', null)
    .execute()
  for (const incident of manual) {
    const to = [incident.assignee, incident.opened_by].filter((personId) => personId !== null)
    await note(tx, incident, { what: 'evidence_added', to, by: null, now })
  }
}

function catalogues(matches: NewIncident['matches']): Catalogue[] {
  return [...new Set(matches.flatMap(({ listedBy }) => listedBy))].sort()
}

function highest(given: readonly Severity[]): Severity {
  return severities.find((severity) => given.includes(severity)) ?? 'unknown'
}
