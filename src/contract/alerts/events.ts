import { Type, type Static, type TObject } from 'typebox'
import type { AlertType } from './shapes.ts'
import { catalogues } from '../findings/shapes.ts'
import { time, nullable } from '../schema.ts'
import type { Severity } from '../severities.ts'

/** The regimes whose clocks run on an incident. */
export const regimes = ['cra', 'digitalsikkerhetsloven', 'gdpr', 'dora'] as const
export type Regime = (typeof regimes)[number]

export const reportStages = [
  'early_warning',
  'notification',
  'initial_notification',
  'intermediate_report',
  'final_report',
] as const
export type ReportStage = (typeof reportStages)[number]

/** By scope: a decision record of the CRA, or the classification of DORA. */
export const determinations = {
  cra: ['actively_exploited', 'not_exploited', 'not_affected', 'severe_incident', 'not_severe'],
  dora: ['dora_major', 'dora_not_major'],
} as const

const incidentName = {
  id: Type.String({ format: 'uuid' }),
  reference: Type.String({ description: 'What people call it by.' }),
  title: Type.String(),
}
const Incident = Type.Object(incidentName, { title: 'EventIncident' })

/**
 * What happened, as destinations are told (docs/public-api.md, "Events"): `data` of the body, times in ISO 8601 UTC. There is no place for
 * what never leaves the service: reporters, their texts, drafts, and who decided and why.
 */
export const eventData = {
  'incident.opened': Type.Object(
    {
      incident: Type.Object({
        ...incidentName,
        family: nullable(Type.String(), { description: 'Product family.' }),
        vulnKey: nullable(Type.String(), { description: 'Id of the vulnerability, usually a CVE.' }),
        source: Type.Enum(catalogues, { description: 'The catalogue that lists it as exploited.' }),
        awareAt: Type.String({
          format: 'date-time',
          description: 'The clocks of the regimes run from here.',
        }),
      }),
    },
    { title: 'IncidentOpened' },
  ),
  'deadline.warning': Type.Object(
    {
      incident: Incident,
      regime: Type.Enum(regimes),
      report: Type.Enum(reportStages),
      dueAt: time,
    },
    { title: 'DeadlineWarning' },
  ),
  'approval.requested': Type.Object(
    {
      incident: Incident,
      determination: Type.Enum([...determinations.cra, ...determinations.dora]),
      scope: Type.Enum(['cra', 'dora'], {
        description: '`cra`: a decision record; `dora`: the classification.',
      }),
      approvers: Type.Integer({ minimum: 0, description: 'How many approvers were asked.' }),
    },
    { title: 'ApprovalRequested' },
  ),
  'report.received': Type.Object(
    {
      report: Type.Object({
        number: Type.Integer({ minimum: 1, description: 'Number in the inbox.' }),
        family: nullable(Type.String(), { description: 'Product family.' }),
        receivedAt: time,
        acknowledgeBy: nullable(time, {
          description: 'Promised by the disclosure policy; null once answered.',
        }),
      }),
    },
    { title: 'ReportReceived' },
  ),
  test: Type.Object(
    { destination: Type.String({ description: 'Name of the destination.' }) },
    { title: 'DestinationTest' },
  ),
} as const satisfies Record<AlertType | 'test', TObject>

export type AlertData = { [Kind in AlertType]: Static<(typeof eventData)[Kind]> }

/**
 * What messages to people also say of an incident that has opened, in words. It is in no webhook's body. Null: it is not known; of
 * `earlyWarningDueAt`: none is due.
 */
export type IncidentAbout = {
  components: string | null
  /** Of the product. */
  versions: string | null
  severity: Severity
  fixedIn: string | null
  /** The components that are malware: they are removed. */
  malware?: string
  earlyWarningDueAt: string | null
}

/** What only messages to people say, by the type of the event. An event that was stored before has none of it. */
export type ToldBesides<Kind extends string> = Kind extends 'incident.opened'
  ? { about?: IncidentAbout }
  : object

/** One of them with its data. */
export type AlertFact = {
  [Kind in AlertType]: { type: Kind; data: AlertData[Kind] } & ToldBesides<Kind>
}[AlertType]

/** What is delivered: an event, or a test that a member asked for. */
export type DeliveryFact = AlertFact | { type: 'test'; data: Static<typeof eventData.test> }
