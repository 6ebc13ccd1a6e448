import { regimes, reportStages, type Regime, type ReportStage } from '../../contract/alerts/events.ts'
import { IncidentEvidence, type EvidenceFacts } from '../../contract/incidents/incident-evidence.ts'

/** The evidence file of an incident: of the same facts, whatever their order, the same lists in the same order. */
export function evidenceOf(facts: EvidenceFacts): IncidentEvidence {
  return {
    ...facts,
    format: 'incident-evidence',
    formatVersion: 1,
    incident: { ...facts.incident, aliases: facts.incident.aliases.toSorted(naturally) },
    awareness: byTime(facts.awareness, ({ recordedAt }) => recordedAt),
    listings: byTime(facts.listings, ({ seenAt }) => seenAt),
    affected: facts.affected.toSorted((one, other) => inParts(affectedParts(one), affectedParts(other))),
    regimes: facts.regimes.toSorted(
      (one, other) => regimes.indexOf(one.regime) - regimes.indexOf(other.regime),
    ),
    determinations: byTime(facts.determinations, ({ recordedAt }) => recordedAt),
    reports: facts.reports.toSorted((one, other) => reportOrder(one) - reportOrder(other)),
    submissions: byTime(
      facts.submissions.toSorted((one, other) => reportOrder(one) - reportOrder(other)),
      ({ submittedAt }) => submittedAt,
    ),
    tasks: byTime(facts.tasks, ({ createdAt }) => createdAt),
    links: facts.links.toSorted((one, other) => inParts([one.kind, one.name], [other.kind, other.name])),
    timeline: byTime(facts.timeline, ({ at }) => at),
  }
}

/** The file as JSON: its fields in the order of the schema, and no others. */
export function evidenceJson(evidence: IncidentEvidence): string {
  return `${JSON.stringify(arranged(IncidentEvidence, evidence), null, 2)}\n`
}

const collator = new Intl.Collator('en', { numeric: true })

/** `1.9` before `1.10`; texts that only look the same in a fixed order too. */
function naturally(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other))
}

/** Oldest first; what happened at the same instant stays in its order. */
function byTime<T>(rows: readonly T[], timeOf: (row: T) => string): T[] {
  return rows.toSorted((one, other) => Date.parse(timeOf(one)) - Date.parse(timeOf(other)))
}

function affectedParts({ family, version, component }: IncidentEvidence['affected'][number]): string[] {
  return [family, version, component.name, component.version, component.purl].map((part) => part ?? '')
}

/** By the first part that differs. */
function inParts(one: readonly string[], other: readonly string[]): number {
  const orders = one.map((part, index) => naturally(part, other[index] ?? ''))
  return orders.find((order) => order !== 0) ?? 0
}

/** By regime, then in the order in which the reports are due. */
function reportOrder({
  regime,
  cycle,
  report,
}: {
  regime: Regime
  cycle: number
  report: ReportStage
}): number {
  return (regimes.indexOf(regime) * 1_000 + cycle) * 10 + reportStages.indexOf(report)
}

/** What of a JSON schema says in which order fields are written. */
type Shape = {
  type?: string
  enum?: unknown
  properties?: Readonly<Record<string, Shape>>
  items?: Shape
  anyOf?: readonly Shape[]
}

function arranged(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => arranged(shape.items ?? {}, item))
  if (typeof value !== 'object' || value === null) return value
  const { properties = {} } = shape.anyOf?.find((each) => each.properties !== undefined) ?? shape
  const own = new Map<string, unknown>(Object.entries(value))
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, arranged(inner, own.get(name))]),
  )
}
