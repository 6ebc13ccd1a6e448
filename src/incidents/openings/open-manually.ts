import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { incidentLimits } from '../../contract/incidents/limits.ts'
import type { IncidentKind } from '../../contract/incidents/words.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { isId } from '../../platform/random.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { lockOpenings } from '../locks.ts'
import { insertIncidents, type NewIncidentRow } from '../record/insert-incidents.ts'
import { recordIncidentAct, type PersonActor } from '../record/lock-incident.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { addEntries, type NewEntry } from '../record/timeline.ts'
import { selectRegimeSettings } from '../regimes/settings.ts'
import type { Candidate } from '../../vulnerabilities/openings/select-candidates.ts'
import { addAffected } from './affected.ts'
import { isAbout } from './plan-openings.ts'
import { refuseWhereSevere } from './refuse-where-severe.ts'
import { selectKnown } from './select-known.ts'
import { selectMatches } from './select-matches.ts'
import { isVulnerabilityId, namesOf, type VulnerabilityNames } from './vulnerability-names.ts'

export type NewManualIncident = {
  kind: IncidentKind
  title: string
  /** Of an exploited vulnerability. */
  vulnerability?: string
  families: string[]
  severity?: Severity
  /** Now when it is left out. */
  awareAt?: string
  occurredAt?: string
  /** A drill: nobody outside is told, and no statistics count it. */
  isExercise?: boolean
  /** False: a severe incident is refused where one is open on the same products. */
  isAnother?: boolean
}

/** The report from outside that an incident is opened from. */
type OpeningReport = {
  /** Its number, which every member may read: `#3`. */
  name: string
  receivedAt: Date
}

type FromReport = NewManualIncident & {
  report: OpeningReport
  /** Why the company became aware at another time than when the report came. */
  awareReason?: string | undefined
}

type Act = { workspaceId: string; actor: PersonActor; now: Date }

type Opened = { id: string; reference: string }

const maxFamilies = 50

/**
 * Opens an incident that a member knows of, with its clocks. It emits no event. Codes: `invalid_request`, `conflict` (a family has an open
 * incident on the vulnerability, or a severe one where that was asked).
 */
export async function openManually(db: Db, act: Act, given: NewManualIncident): Promise<Opened> {
  const read = readNew(given, { now: act.now, input: new InputReader(), isNamed: true })
  return transact(db, async (tx) => {
    await lockOpenings(tx, act.workspaceId)
    return open(tx, act, { ...read, source: 'manual' })
  })
}

/**
 * Opens an incident from a report, in the transaction that links the two. The company counts as aware since the report arrived, unless the
 * member says why not. Codes: as `openManually`.
 */
export async function openFromReport(
  tx: Tx,
  act: Act,
  { report, awareReason, ...given }: FromReport,
): Promise<Opened> {
  const input = new InputReader()
  const reason = input.text('awareReason', awareReason ?? '', {
    min: 0,
    max: incidentLimits.openingReasonCharacters,
  })
  const received = report.receivedAt.toISOString()
  const { awareAt = received } = given
  if (Date.parse(awareAt) !== report.receivedAt.getTime() && reason === '') {
    input.refuse('awareReason', `The report came at ${received}: say why it counts from another time.`)
  }
  const read = readNew({ ...given, awareAt }, { now: act.now, input, isNamed: false })
  await lockOpenings(tx, act.workspaceId)
  return open(tx, act, { ...read, source: 'report', report: report.name, awareReason: reason })
}

/** `isNamed`: the vulnerability must have an id. One that was just reported has none yet. */
type Reading = { now: Date; input: InputReader; isNamed: boolean }

function readNew(given: NewManualIncident, { now, input, isNamed }: Reading) {
  const title = input.line('title', given.title, incidentLimits.titleCharacters)
  const vulnerability = readVulnerability(given, { input, isNamed })
  const families = [...new Set(given.families)]
  if (families.length > maxFamilies) input.refuse('families', `At most ${maxFamilies} families.`)
  if (!families.every(isId))
    input.refuse('families', 'At least one of these is not a family of the workspace.')
  const awareAt = given.awareAt === undefined ? now : input.time('awareAt', given.awareAt, { now })
  const occurredAt =
    given.occurredAt === undefined ? null : input.time('occurredAt', given.occurredAt, { now })
  input.finish()
  const { kind, severity = 'unknown', isExercise = false, isAnother = true } = given
  return { kind, title, vulnerability, families, severity, awareAt, occurredAt, isExercise, isAnother }
}

function readVulnerability(
  { kind, vulnerability = '' }: NewManualIncident,
  { input, isNamed }: Pick<Reading, 'input' | 'isNamed'>,
): string | null {
  const id = vulnerability.trim()
  if (kind === 'vulnerability' && (isNamed || id !== '') && !isVulnerabilityId(id)) {
    input.refuse('vulnerability', 'The id of the vulnerability is required, such as CVE-2021-44228.')
  }
  if (kind === 'severe_incident' && id !== '') {
    input.refuse('vulnerability', 'A severe incident has no vulnerability. Choose the other kind.')
  }
  return id === '' ? null : id
}

type Read = ReturnType<typeof readNew> &
  ({ source: 'manual' } | { source: 'report'; report: string; awareReason: string })

async function open(tx: Tx, { workspaceId, actor, now }: Act, read: Read): Promise<Opened> {
  await refuseUnknownFamilies(tx, workspaceId, read.families)
  const names = read.vulnerability === null ? null : await namesOf(tx, read.vulnerability)
  if (!read.isExercise) await refuseWhereKnown(tx, workspaceId, { read, names })
  const { time_zone: timeZone } = await selectWorkspace(tx, workspaceId)
  const settings = await selectRegimeSettings(tx, workspaceId)
  const matches =
    names === null ? [] : await selectMatches(tx, workspaceId, { families: read.families, names })
  const row = rowOf(read, { names, matches, actor, isCraOn: settings.cra })
  const [incident] = await insertIncidents(tx, [row], { workspaceId, timeZone, now })
  if (incident === undefined) throw new Error('the incident was not stored')
  await addAffected(
    tx,
    matches.map((match) => ({ incidentId: incident.id, match })),
    { workspaceId, now },
  )
  const entry = { workspaceId, incidentId: incident.id, at: now, actor }
  const data = { source: read.source, count: matches.length, isExercise: read.isExercise }
  await addEntries(tx, [{ ...entry, kind: 'opened', data }, ...reportEntries(entry, read)])
  const after = { kind: read.kind, vulnKey: row.vuln_key, isExercise: read.isExercise }
  const named = { id: incident.id, reference: incident.reference, workspace_id: workspaceId }
  await recordIncidentAct(tx, named, { action: 'incident.opened', actor, now, after })
  return { id: incident.id, reference: incident.reference }
}

type About = {
  names: VulnerabilityNames | null
  matches: readonly Candidate[]
  actor: PersonActor
  isCraOn: boolean
}

function rowOf(read: Read, { names, matches, actor, isCraOn }: About): NewIncidentRow {
  const vulnKey = names?.vulnKey ?? null
  return {
    kind: read.kind,
    title: read.title,
    vuln_key: vulnKey,
    aliases: names?.aliases ?? [],
    source: read.source,
    listed_by: [...new Set(matches.flatMap(({ listedBy }) => listedBy))].sort(),
    severity: read.severity,
    is_exercise: read.isExercise,
    opened_by_kind: 'person',
    opened_by: actor.id,
    opened_by_name: actor.name,
    aware_at: read.awareAt,
    occurred_at: read.occurredAt,
    follows: null,
    families: read.families.map((familyId) => ({ familyId, vulnKey })),
    regimes: isCraOn ? ['cra'] : [],
  }
}

function reportEntries(entry: Omit<NewEntry, 'kind'>, read: Read): NewEntry[] {
  if (read.source === 'manual') return []
  const reason = read.awareReason === '' ? {} : { awareReason: read.awareReason }
  return [{ ...entry, kind: 'report_linked', data: { name: read.report, ...reason } }]
}

async function refuseUnknownFamilies(
  tx: Tx,
  workspaceId: string,
  families: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from family
    where workspace_id = ${workspaceId} and id = any(${uuidList(families)}) and deleted_at is null`.execute(
    tx,
  )
  if (rows.length === families.length) return
  throw new ServiceError('invalid_request', {
    fields: { families: 'At least one of these is not a family of the workspace.' },
  })
}

async function refuseWhereKnown(
  tx: Tx,
  workspaceId: string,
  { read, names }: { read: Read; names: VulnerabilityNames | null },
): Promise<void> {
  if (names !== null) await refuseWhereOpen(tx, workspaceId, { read, names })
  if (read.kind === 'severe_incident' && !read.isAnother)
    await refuseWhereSevere(tx, workspaceId, read.families)
}

async function refuseWhereOpen(
  tx: Tx,
  workspaceId: string,
  { read, names }: { read: Read; names: VulnerabilityNames },
): Promise<void> {
  const known = await selectKnown(tx, workspaceId, read.families)
  const taken = known.open.find((one) => isAbout(one, names))
  if (taken === undefined) return
  const incident = await tx
    .selectFrom('incident')
    .select('reference')
    .where('id', '=', taken.incidentId)
    .executeTakeFirstOrThrow()
  throw new ServiceError('conflict', {
    message: `${incident.reference} is open on this vulnerability in one of the families.`,
    detail: taken.incidentId,
  })
}
