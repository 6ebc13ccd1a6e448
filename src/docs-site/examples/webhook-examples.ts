import { eventIdPrefix } from '../../contract/alerts/shapes.ts'
import type { DeliveryFact } from '../../contract/alerts/events.ts'
import { exampleBase, exampleId } from './example.ts'

export type EventExample = DeliveryFact & { id: string; created: string; workspace: string; url: string }

const incident = { id: exampleId, reference: 'INC-2026-0001', title: 'CVE-2026-1234 in Pump' }

/** With which the signatures of the examples are made. */
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

/** A body of each kind, as a webhook gets it (test/docs/webhooks compares them with what is delivered). */
export const webhookExamples: Readonly<Record<DeliveryFact['type'], EventExample>> = {
  'incident.opened': body(
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
  'deadline.warning': body(
    {
      type: 'deadline.warning',
      data: { incident, regime: 'cra', report: 'early_warning', dueAt: '2026-09-08T08:00:00.000Z' },
    },
    `incidents/${exampleId}`,
  ),
  'approval.requested': body(
    {
      type: 'approval.requested',
      data: { incident, determination: 'not_exploited', scope: 'cra', approvers: 2 },
    },
    `incidents/${exampleId}`,
  ),
  'report.received': body(
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
  test: body({ type: 'test', data: { destination: 'Security on call' } }, 'settings/notifications'),
}
