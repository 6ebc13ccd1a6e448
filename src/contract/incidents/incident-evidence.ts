import { Type, type Static } from 'typebox'
import { regimes, reportStages } from '../alerts/events.ts'
import { catalogues } from '../findings/shapes.ts'
import {
  awarenessStates,
  determinationStates,
  determinationValues,
  incidentKinds,
  incidentSources,
  incidentStatuses,
  reportStatuses,
  submissionKinds,
} from './words.ts'
import { severities } from '../severities.ts'
import { nullable } from '../schema.ts'

const text = Type.String()
const time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })
const regime = Type.Enum(regimes)
const stage = Type.Enum(reportStages)
const listedBy = Type.Array(Type.Enum(catalogues))
const cycle = Type.Integer({
  minimum: 1,
  description: 'Reports are counted again after the incident was reopened with new evidence.',
})

/** Who decided what another person recorded. */
const decision = {
  recordedBy: text,
  recordedAt: time,
  decidedBy: nullable(text),
  decidedAt: nullable(time),
  comment: nullable(text),
  withoutSecondPerson: Type.Boolean({
    description: 'An owner approved it alone, because the workspace had no second person.',
  }),
}

const Informed = nullable(Type.Object({ at: time, by: text, how: text }))

const Facts = Type.Object({
  reference: text,
  kind: Type.Enum(incidentKinds),
  title: text,
  isExercise: Type.Boolean({ description: 'A drill: none of it happened.' }),
  status: Type.Enum(incidentStatuses),
  source: Type.Enum(incidentSources, {
    description:
      'What opened it: a catalogue of exploited vulnerabilities, a member, or a report from outside.',
  }),
  vulnerability: nullable(Type.String(), { description: 'Its main id, as at opening.' }),
  aliases: Type.Array(Type.String(), { description: 'Its other ids.' }),
  severity: Type.Enum(severities),
  families: Type.Array(Type.String(), { description: 'Product families it is about.' }),
  memberStates: Type.Array(Type.String(), { description: 'Where the products are available.' }),
  openedAt: time,
  openedBy: text,
  awareAt: time,
  occurredAt: nullable(time),
  measureAvailableAt: nullable(time),
  assignee: nullable(text),
  usersInformed: Informed,
  maintainerInformed: Informed,
  closedAt: nullable(time),
  closedBy: nullable(text),
  closeReason: nullable(text),
})

const AwarenessChange = Type.Object({
  from: time,
  to: time,
  reason: text,
  state: Type.Enum(awarenessStates),
  ...decision,
})

const Listing = Type.Object({
  catalogue: Type.Enum(catalogues),
  id: Type.String({ description: 'As the catalogue lists it.' }),
  listedOn: nullable(Type.String(), { description: 'A calendar date, by the catalogue.' }),
  seenAt: Type.String({ format: 'date-time', description: 'When the entry was first seen.' }),
  removedAt: nullable(time),
})

const Affected = Type.Object({
  family: text,
  version: nullable(Type.String(), { description: 'null: a product without version.' }),
  component: Type.Object({ name: text, version: nullable(text), purl: nullable(text) }),
  listedBy,
  addedAt: time,
})

const Data = Type.Object({
  stale: Type.Integer({
    minimum: 0,
    description:
      'Components of the product families that count as checked, and were checked by data that may lack what was published lately.',
  }),
  outOfDate: Type.Array(text, {
    description:
      'Sources of vulnerability data behind these components, and lists of exploited vulnerabilities, that were not current when the file was made: how old each is, and what may be missing.',
  }),
})

const RegimeOnIncident = Type.Object({
  regime,
  isActive: Type.Boolean(),
  awareAt: time,
  classifiedAt: nullable(Type.String({ format: 'date-time' }), {
    description: 'As a major incident (DORA).',
  }),
  reason: nullable(Type.String(), { description: 'Why it was switched off.' }),
  authority: nullable(text),
})

const Determination = Type.Object({
  scope: Type.Enum(['cra', 'dora']),
  value: Type.Enum(determinationValues),
  state: Type.Enum(determinationStates),
  cycle,
  reasoning: text,
  evidence: Type.Array(Type.String(), { description: 'Links and references that the recorder gave.' }),
  ...decision,
})

const Report = Type.Object({
  regime,
  report: stage,
  cycle,
  status: Type.Enum(reportStatuses, {
    description: 'When the file was made.',
  }),
  dueAt: nullable(time),
  submittedAt: nullable(time),
  isLate: Type.Boolean({ description: 'Submitted after it was due.' }),
  reason: nullable(Type.String(), {
    description: 'Why it is not required, or why it was submitted late.',
  }),
})

const DraftSnapshot = Type.Object({
  version: Type.String({ description: 'The state of the form that the draft was written for.' }),
  fields: Type.Array(Type.Object({ id: text, number: nullable(text), label: text, value: text })),
})
export type DraftSnapshot = Static<typeof DraftSnapshot>

const Submission = Type.Object({
  regime,
  report: stage,
  cycle,
  kind: Type.Enum(submissionKinds),
  submittedAt: time,
  firstSubmittedAt: nullable(Type.String({ format: 'date-time' }), {
    description: 'The time that was recorded first, where a typing error was corrected.',
  }),
  recordedAt: time,
  recordedBy: text,
  channel: text,
  authority: nullable(text),
  reference: nullable(Type.String(), { description: 'Given by the authority.' }),
  delayReason: nullable(text),
  receipt: nullable(Type.String(), {
    description: 'Name of the receipt file that is kept.',
  }),
  beforeApproval: Type.Boolean({ description: 'Filed while a determination waited for its approval.' }),
  draft: nullable(DraftSnapshot, { description: 'The draft as it was at that moment.' }),
})

const Task = Type.Object({
  title: text,
  dueAt: nullable(time),
  createdAt: time,
  createdBy: text,
  doneAt: nullable(time),
  doneBy: nullable(text),
})

const Link = Type.Object({
  kind: Type.Enum(['incident', 'advisory', 'inbox_report', 'vex']),
  name: Type.String({ description: 'Its reference or id.' }),
  relation: nullable(text),
})

const TimelineEntry = Type.Object({
  at: time,
  actor: text,
  text: Type.String({ description: 'What happened, as a sentence.' }),
})

/** The evidence file of an incident: all that is known, decided and filed, for an authority or an auditor. Its fields are listed in this order. */
export const IncidentEvidence = Type.Object(
  {
    format: Type.Literal('incident-evidence'),
    formatVersion: Type.Literal(1),
    generatedAt: time,
    generatedBy: text,
    company: text,
    timeZone: Type.String({ description: 'Of the workspace, in which days and months are counted.' }),
    incident: Facts,
    awareness: Type.Array(AwarenessChange, {
      description: 'Changes of the time of awareness, oldest first.',
    }),
    listings: Type.Array(Listing, { description: 'Entries in catalogues of exploited vulnerabilities.' }),
    affected: Type.Array(Affected),
    data: Data,
    regimes: Type.Array(RegimeOnIncident),
    determinations: Type.Array(Determination, { description: 'Oldest first; none is ever removed.' }),
    reports: Type.Array(Report),
    submissions: Type.Array(Submission, { description: 'Oldest first; none is ever changed.' }),
    tasks: Type.Array(Task),
    links: Type.Array(Link),
    timeline: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
  },
  { title: 'IncidentEvidence' },
)
export type IncidentEvidence = Static<typeof IncidentEvidence>

/** What the file is made from. */
export type EvidenceFacts = Omit<IncidentEvidence, 'format' | 'formatVersion'>
