import {
  alertTypes,
  type AlertType,
  type DeliveryRow,
  type DestinationKind,
} from '#contract/alerts/shapes.ts'
import type { WorkspaceState } from '#contract/workspace/plans.ts'

export const kindNames: Record<DestinationKind, string> = {
  chat_a: 'Slack',
  chat_b: 'Microsoft Teams',
  webhook: 'Webhook',
}

type EventWords = { name: string; short: string; means: string }

export const eventWords: Record<AlertType, EventWords> = {
  'incident.opened': {
    name: 'Incident opened',
    short: 'Incidents',
    means: 'A product has a vulnerability that is known to be exploited.',
  },
  'deadline.warning': {
    name: 'Deadline near',
    short: 'Deadlines',
    means: 'A report to an authority is due soon and has not been submitted.',
  },
  'approval.requested': {
    name: 'Approval requested',
    short: 'Approvals',
    means: 'A determination on an incident waits for a second person.',
  },
  'report.received': {
    name: 'Report received',
    short: 'Reports',
    means: 'Someone reported a vulnerability to you. What they wrote is never posted.',
  },
}

export type NoticeWords = { name: string; about: string }

/** The notice of the same event that members configure. */
export const eventNotices: Record<AlertType, NoticeWords> = {
  'incident.opened': {
    name: 'Incident opened',
    about: 'A vulnerability in a product is known to be exploited.',
  },
  'deadline.warning': { name: 'Deadline warning', about: 'A report to an authority is due soon.' },
  'approval.requested': { name: 'Approval requested', about: 'A determination waits for a second person.' },
  'report.received': {
    name: 'Vulnerability report received',
    about: 'Somebody reported a vulnerability to your company.',
  },
}

export function eventName(type: DeliveryRow['type']): string {
  return type === 'test' ? 'Test' : eventWords[type].name
}

/** What a destination is told: "All events", "Incidents, approvals". */
export function eventsInWords(events: readonly AlertType[]): string {
  const told = alertTypes.filter((type) => events.includes(type)).map((type) => eventWords[type].short)
  if (told.length === alertTypes.length) return 'All events'
  return told.map((word, at) => (at === 0 ? word : word.toLowerCase())).join(', ')
}

/** Shown above all destinations, and beside each, while nothing is posted whatever their switches say. */
type Standstill = { sentence: string; chip: string; title: string }

const untilPlan = 'Destinations are kept, and posted to again on Core and Plus.'

export const standstills: Partial<Record<WorkspaceState, Standstill>> = {
  starter: {
    sentence: 'Nothing is posted on Starter. Destinations are kept for Core and Plus.',
    chip: 'Not sent on Starter',
    title: untilPlan,
  },
  free: {
    sentence: 'Nothing is posted while the workspace is read-only. Destinations are kept for Core and Plus.',
    chip: 'Not sent: read-only',
    title: untilPlan,
  },
  suspended: {
    sentence: 'Nothing is posted while the workspace is suspended. Destinations are kept.',
    chip: 'Not sent: suspended',
    title: 'Destinations are kept, and posted to again when the operator lifts the suspension.',
  },
  moving: {
    sentence: 'Nothing new is posted while the workspace is being moved. Destinations move with it.',
    chip: 'Not sent: moving',
    title: 'What came before the move began is still sent.',
  },
  moved: {
    sentence:
      'Nothing is posted from here: the workspace has moved to another installation, with its destinations.',
    chip: 'Not sent: moved',
    title: 'The other installation posts to them.',
  },
  closed: {
    sentence: 'Nothing is posted while the workspace is closed. Destinations are kept.',
    chip: 'Not sent: closed',
    title: 'Destinations are kept, and posted to again on Core and Plus once the workspace is open.',
  },
}

/** `120 ms`, `5.0 s` */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** The receiver's answer, if there was one: "204 in 120 ms". */
export function answerWords({
  status,
  durationMs,
}: Pick<DeliveryRow, 'status' | 'durationMs'>): string | undefined {
  if (durationMs === null) return undefined
  return status === null
    ? `after ${formatDuration(durationMs)}`
    : `${status} in ${formatDuration(durationMs)}`
}

/** Text of the link to an event's object; a test has none. */
export function thingName(type: DeliveryRow['type']): string | undefined {
  switch (type) {
    case 'incident.opened':
    case 'deadline.warning':
    case 'approval.requested':
      return 'Open the incident'
    case 'report.received':
      return 'Open the report'
    case 'test':
      return undefined
  }
}
