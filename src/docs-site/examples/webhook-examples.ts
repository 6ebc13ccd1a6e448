import { eventIdPrefix } from '../../contract/alerts/shapes.ts'
import type { DeliveryFact } from '../../contract/alerts/events.ts'
import { exampleBase, exampleId } from './example.ts'

export type EventExample = DeliveryFact & { id: string; created: string; workspace: string; url: string }

const incident = { id: exampleId, reference: 'INC-2026-0001', title: 'CVE-2026-1234 in Pump' }

/** The secret that signs the examples. */
export const exampleSecret = 'whsec_0123456789012345678901234567890123456789abc'

function body(fact: DeliveryFact, path: string): EventExample {
  const { type, ...data } = fact
  return {
    id: `${eventIdPrefix}0190d3a8-5b7c-7000-8000-00000000e4f5`,
    type,
    created: '2026-09-07T08:00:00.123Z',
    workspace: 'Acme',
    url: `${exampleBase}/app/acme/${path}`,
    ...data,
  } as EventExample
}

type DocumentedEvent = {
  /** Of the shape of its data. */
  name: string
  summary: string
  description: string
  /** What is at `url` of its body. */
  url: string
  /** As a webhook gets it (test/docs/webhooks compares it with what is delivered). */
  example: EventExample
}

/** What the documentation says of each event, with an example. */
export const documentedEvents: Readonly<Record<DeliveryFact['type'], DocumentedEvent>> = {
  'incident.opened': {
    name: 'IncidentOpened',
    summary: 'An incident was opened',
    description:
      'An exact match against a catalogue of known exploited vulnerabilities, or the European vulnerability database, opened an incident.',
    url: 'The page of the incident.',
    example: body(
      {
        type: 'incident.opened',
        data: {
          incident: {
            ...incident,
            family: 'Pump',
            vulnKey: 'CVE-2026-1234',
            source: 'kev',
            awareAt: '2026-09-07T08:00:00.000Z',
          },
        },
      },
      `incidents/${exampleId}`,
    ),
  },
  'deadline.warning': {
    name: 'DeadlineWarning',
    summary: 'A report is due soon',
    description:
      'Once for each report while it is open: 4 hours before a 24-hour or 72-hour report, 1 hour before the initial notification of DORA, 72 hours before a final report.',
    url: 'The page of the incident.',
    example: body(
      {
        type: 'deadline.warning',
        data: { incident, regime: 'cra', report: 'early_warning', dueAt: '2026-09-08T08:00:00.000Z' },
      },
      `incidents/${exampleId}`,
    ),
  },
  'approval.requested': {
    name: 'ApprovalRequested',
    summary: 'A determination waits for approval',
    description: 'A determination was recorded and waits for a second person.',
    url: 'The page of the incident.',
    example: body(
      {
        type: 'approval.requested',
        data: { incident, determination: 'not_exploited', scope: 'cra', approvers: 2 },
      },
      `incidents/${exampleId}`,
    ),
  },
  'report.received': {
    name: 'ReportReceived',
    summary: 'A vulnerability report arrived',
    description: 'A report arrived in the disclosure inbox. The event holds nothing that its reporter wrote.',
    url: 'The page of the report.',
    example: body(
      {
        type: 'report.received',
        data: {
          report: {
            number: 17,
            family: 'Pump',
            receivedAt: '2026-09-07T08:00:00.000Z',
            acknowledgeBy: '2026-09-10T08:00:00.000Z',
          },
        },
      },
      'inbox/17',
    ),
  },
  test: {
    name: 'DestinationTest',
    summary: 'A test',
    description:
      'Sent when an owner or admin selects "Send a test", whether the destination is on or off, and whatever events it asks for.',
    url: 'The settings of notifications.',
    example: body({ type: 'test', data: { destination: 'Security on call' } }, 'settings/notifications'),
  },
}
