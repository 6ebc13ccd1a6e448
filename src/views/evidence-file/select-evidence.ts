import { sql } from 'kysely'
import type { EvidenceFacts } from '../../contract/incidents/incident-evidence.ts'
import { entryWords } from '../../contract/incidents/entry-words.ts'
import { notRequiredNames } from '../../contract/incidents/incident-names.ts'
import type { DeterminationRow, RecordedDecision } from '../../contract/incidents/shapes.ts'
import { allIds, otherIds } from '../../contract/public/public-id.ts'
import { describeOutdated, outdatedIn } from '../../contract/sbom/data-words.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { selectDataBehindFamilies } from '../../inventory/coverage/data-behind.ts'
import { selectEntries } from '../../vulndata/reads/exploited-entries.ts'
import { selectAffected, type AffectedComponent } from '../../incidents/record/select-affected.ts'
import { toReportSummary } from '../../incidents/reads/report-summary.ts'
import { selectRegimes, selectRelated, selectReports } from '../../incidents/reads/select-clocks.ts'
import {
  selectAdvisories,
  selectInboxReports,
  selectVexDocuments,
} from '../../incidents/reads/select-linked.ts'
import {
  selectAwareness,
  selectDeterminations,
  selectTasks,
  type IncidentKey,
} from '../../incidents/reads/select-decisions.ts'
import { selectFiledDrafts, type FiledWithDraft } from '../../incidents/reads/select-submissions.ts'

/** `switchedOff`: sources of data that nobody fetches here. */
type Asked = IncidentKey & { by: string; now: Date; switchedOff: readonly string[] }

/** All that is known, decided and filed of an incident, as it is at one moment. Codes: `not_found`. */
export async function selectEvidence(db: Db, asked: Asked): Promise<EvidenceFacts> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => readEvidence(tx, asked))
}

/** The same inside a transaction that sees one moment. Codes: `not_found`. */
export async function readEvidence(db: Db, asked: Asked): Promise<EvidenceFacts> {
  const { by, now } = asked
  const stored = await selectStored(db, asked)
  const submissions = await selectFiledDrafts(db, asked)
  const regimes = await selectRegimes(db, asked, stored.aware_at)
  const families = await selectFamilies(db, asked)
  return {
    generatedAt: now.toISOString(),
    generatedBy: by,
    company: stored.company_name,
    timeZone: stored.time_zone,
    incident: factsOf(stored, families),
    // requests to switch a regime off are in the timeline
    awareness: (await selectAwareness(db, asked))
      .filter(({ regime }) => regime === null)
      .map(({ from, to, reason, state, ...rest }) => ({
        from,
        to,
        reason,
        state,
        ...decisionOf(rest),
      })),
    listings: await selectListings(db, stored),
    affected: (await selectAffected(db, asked.workspaceId, asked.incidentId)).map(affectedOf),
    data: await selectData(db, asked, families),
    regimes: regimes.map(({ regime, isActive, awareAt, classifiedAt, reason, authority }) => ({
      regime,
      isActive,
      awareAt,
      classifiedAt,
      reason,
      authority: authority?.name ?? null,
    })),
    determinations: (await selectDeterminations(db, asked)).map(determinationOf),
    reports: await selectFiled(db, asked, submissions),
    submissions: submissions.map(({ reportId: _reportId, ...submission }) => submission),
    tasks: (await selectTasks(db, asked)).map(({ id: _id, ...task }) => task),
    links: await selectLinks(db, asked, stored),
    timeline: await selectTimeline(db, asked),
  }
}

async function selectStored(db: Db, { workspaceId, incidentId }: Asked) {
  const stored = await db
    .selectFrom('incident as i')
    .innerJoin('workspace as w', 'w.id', 'i.workspace_id')
    .leftJoin('person as p', 'p.id', 'i.assignee')
    .selectAll('i')
    .select(['w.company_name', 'w.time_zone', 'p.name as assignee_name'])
    .where('i.workspace_id', '=', workspaceId)
    .where('i.id', '=', incidentId)
    .executeTakeFirst()
  if (stored === undefined) throw new ServiceError('not_found')
  return stored
}

type Stored = Awaited<ReturnType<typeof selectStored>>

type Family = { id: string; name: string }

async function selectFamilies(db: Db, { workspaceId, incidentId }: Asked): Promise<Family[]> {
  return db
    .selectFrom('incident_family as i')
    .innerJoin('family as y', 'y.id', 'i.family_id')
    .select(['y.id', 'y.name'])
    .where('i.workspace_id', '=', workspaceId)
    .where('i.incident_id', '=', incidentId)
    .orderBy('y.name')
    .execute()
}

/** How old the data are that the products of the incident are checked with: what an authority reads may lack what was published since. */
async function selectData(
  db: Db,
  { workspaceId, switchedOff, now }: Asked,
  families: readonly Family[],
): Promise<EvidenceFacts['data']> {
  const familyIds = families.map(({ id }) => id)
  const data = await selectDataBehindFamilies(db, { workspaceId, familyIds }, { switchedOff, now })
  return { stale: data.stale, outOfDate: outdatedIn(data).map(describeOutdated) }
}

function factsOf(stored: Stored, families: readonly Family[]): EvidenceFacts['incident'] {
  return {
    reference: stored.reference,
    kind: stored.kind,
    title: stored.title,
    isExercise: stored.is_exercise,
    status: stored.status,
    source: stored.source,
    vulnerability: stored.vuln_key,
    aliases: otherIds(stored.vuln_key, stored.aliases),
    severity: stored.severity,
    families: families.map(({ name }) => name),
    memberStates: stored.member_states,
    openedAt: stored.opened_at.toISOString(),
    openedBy: stored.opened_by_name,
    awareAt: stored.aware_at.toISOString(),
    occurredAt: iso(stored.occurred_at),
    measureAvailableAt: iso(stored.measure_available_at),
    assignee: stored.assignee_name,
    usersInformed: stored.users_informed,
    maintainerInformed: stored.maintainer_informed,
    closedAt: iso(stored.closed_at),
    closedBy: stored.closed_by_name,
    closeReason: stored.close_reason,
  }
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

function decisionOf(row: RecordedDecision) {
  const { recordedBy, recordedAt, decidedBy, decidedAt, comment, selfApproved } = row
  return {
    recordedBy: recordedBy.name,
    recordedAt,
    decidedBy,
    decidedAt,
    comment,
    withoutSecondPerson: selfApproved,
  }
}

function determinationOf({ scope, value, state, cycle, reasoning, evidence, ...rest }: DeterminationRow) {
  return { scope, value, state, cycle, reasoning, evidence, ...decisionOf(rest) }
}

/** Entries on any of its names, dropped ones included. */
async function selectListings(db: Db, { vuln_key, aliases }: Stored): Promise<EvidenceFacts['listings']> {
  if (vuln_key === null) return []
  const names = allIds(vuln_key, aliases).filter((name) => /^(?:CVE|EUVD)-/.test(name))
  const entries = await selectEntries(db, {
    named: sql`select unnest(${names}::text[]) as id, true as is_direct`,
    order: sql`e.first_seen_at, e.id`,
  })
  return entries.map(({ catalogue, id, listedOn, firstSeenAt, removedAt }) => ({
    catalogue,
    id,
    listedOn,
    removedAt,
    seenAt: firstSeenAt,
  }))
}

function affectedOf(row: AffectedComponent): EvidenceFacts['affected'][number] {
  const { family, version, listed_by, component, component_version, purl, added_at } = row
  return {
    family,
    version,
    listedBy: listed_by,
    component: { name: component, version: component_version, purl },
    addedAt: added_at.toISOString(),
  }
}

async function selectFiled(
  db: Db,
  asked: Asked,
  submissions: readonly FiledWithDraft[],
): Promise<EvidenceFacts['reports']> {
  const reports = await selectReports(db, asked)
  return reports.map((stored) => {
    const { id, regime, report, cycle, status, dueAt, submittedAt, reason } = toReportSummary(
      stored,
      asked.now,
    )
    const first = submissions.find(({ reportId, kind }) => reportId === id && kind === 'submission')
    return {
      regime,
      report,
      cycle,
      status,
      dueAt,
      submittedAt,
      isLate: status === 'late',
      reason: reason === null ? (first?.delayReason ?? null) : notRequiredNames[reason],
    }
  })
}

const relations = {
  same_vulnerability: 'Same vulnerability',
  follows: 'It follows this one',
  followed_by: 'This one follows it',
} as const

/**
 * Other incidents, the VEX documents whose word is in force on what is affected, advisories, and reports from outside by their numbers, which
 * every member may read.
 */
async function selectLinks(db: Db, asked: Asked, stored: Stored): Promise<EvidenceFacts['links']> {
  const related = await selectRelated(db, asked, { vulnKey: stored.vuln_key, follows: stored.follows })
  const documents = await selectVexDocuments(db, asked)
  const advisories = await selectAdvisories(db, asked)
  const inboxReports = await selectInboxReports(db, asked)
  return [
    ...related.map(({ reference, relation }) => ({
      kind: 'incident' as const,
      name: reference,
      relation: relations[relation],
    })),
    ...documents.map(({ name, verdict }) => ({
      kind: 'vex' as const,
      name,
      relation: verdict.replaceAll('_', ' '),
    })),
    ...advisories.map(({ trackingId, number }) => ({
      kind: 'advisory' as const,
      name: trackingId,
      relation: number === null ? 'not published' : `version ${number}`,
    })),
    ...inboxReports.map(({ number }) => ({
      kind: 'inbox_report' as const,
      name: `#${number}`,
      relation: null,
    })),
  ]
}

/** Index incident_entry_of. */
async function selectTimeline(
  db: Db,
  { workspaceId, incidentId }: Asked,
): Promise<EvidenceFacts['timeline']> {
  const entries = await db
    .selectFrom('incident_entry')
    .select(['at', 'actor_name', 'kind', 'data'])
    .where('workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return entries.map(({ at, actor_name, kind, data }) => ({
    at: at.toISOString(),
    actor: actor_name,
    text: entryWords({ kind, data }),
  }))
}
