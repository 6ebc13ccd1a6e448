import { eventIdPrefix } from '../../contract/alerts/shapes.ts'
import type { AlertData, DeliveryFact } from '../../contract/alerts/events.ts'

/** What every message about an event says beside its data. */
export type Envelope = {
  /** UUID of the delivery. */
  id: string
  created: Date
  /** Company name. */
  workspace: string
  workspaceSlug: string
  /** Of the service, without trailing slash. */
  baseUrl: string
}

/** The body of a webhook request: one line of compact JSON (docs/public-api.md, "Body"). */
export function eventBody(fact: DeliveryFact, envelope: Envelope): string {
  return JSON.stringify({
    id: eventIdPrefix + envelope.id,
    type: fact.type,
    created: envelope.created.toISOString(),
    workspace: envelope.workspace,
    url: eventUrl(fact, envelope),
    data: dataOf(fact),
  })
}

/** The page of the application that an event is about. */
export function eventUrl(
  fact: DeliveryFact,
  { baseUrl, workspaceSlug }: Pick<Envelope, 'baseUrl' | 'workspaceSlug'>,
): string {
  const workspace = `${baseUrl}/app/${workspaceSlug}`
  switch (fact.type) {
    case 'incident.opened':
    case 'deadline.warning':
    case 'approval.requested':
      return `${workspace}/incidents/${fact.data.incident.id}`
    case 'report.received':
      return `${workspace}/inbox/${fact.data.report.number}`
    case 'test':
      return `${workspace}/settings/notifications`
  }
}

/** Names every field, so that nothing else that a fact may hold leaves the service. */
function dataOf(fact: DeliveryFact): AlertData[keyof AlertData] | { destination: string } {
  switch (fact.type) {
    case 'incident.opened': {
      const { family, vulnKey, source, awareAt } = fact.data.incident
      return { incident: { ...incidentName(fact.data.incident), family, vulnKey, source, awareAt } }
    }
    case 'deadline.warning': {
      const { incident, regime, report, dueAt } = fact.data
      return { incident: incidentName(incident), regime, report, dueAt }
    }
    case 'approval.requested': {
      const { incident, determination, scope, approvers } = fact.data
      return { incident: incidentName(incident), determination, scope, approvers }
    }
    case 'report.received': {
      const { number, family, receivedAt, acknowledgeBy } = fact.data.report
      return { report: { number, family, receivedAt, acknowledgeBy } }
    }
    case 'test':
      return { destination: fact.data.destination }
  }
}

function incidentName({ id, reference, title }: { id: string; reference: string; title: string }) {
  return { id, reference, title }
}
