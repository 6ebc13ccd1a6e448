import type { DeliveryFact, IncidentAbout } from '../../contract/alerts/events.ts'
import {
  catalogueNames,
  regimeNames,
  stageNames,
  valueNames,
} from '../../contract/incidents/incident-names.ts'
import { shownTime, type ShowTime } from '../../contract/shown-time.ts'

/** An event in words, for people: chat, mail and the bell. Values are plain text, even where a stranger has written them. */
export type Wording = {
  headline: string
  /** Label and value, the most important first. */
  facts: readonly (readonly [label: string, value: string])[]
  /** What the link to the application is called. */
  linkText: string
}

/** What to tell people of an event. */
export function wordingOf(fact: DeliveryFact, show: ShowTime = shownTime): Wording {
  switch (fact.type) {
    case 'incident.opened':
      return openedWording(fact, show)
    case 'deadline.warning': {
      const { incident, regime, report, dueAt } = fact.data
      return {
        headline: `${stageNames[report]} for ${incident.reference} is due ${show(dueAt)}`,
        facts: [
          ['Incident', incident.title],
          ['Regime', regimeNames[regime]],
        ],
        linkText: 'Open the report',
      }
    }
    case 'approval.requested': {
      const { incident, determination, approvers } = fact.data
      return {
        headline: `A determination on ${incident.reference} waits for approval`,
        facts: [
          ['Incident', incident.title],
          ['Determination', valueNames[determination]],
          ['Approvers asked', String(approvers)],
        ],
        linkText: 'Review the determination',
      }
    }
    case 'report.received': {
      const { number, family, receivedAt, acknowledgeBy } = fact.data.report
      return {
        headline: `Vulnerability report #${number} received`,
        facts: [
          ...named('Product family', family),
          ['Received', show(receivedAt)],
          ...named('Acknowledge by', acknowledgeBy === null ? null : show(acknowledgeBy)),
        ],
        linkText: 'Open the report',
      }
    }
    case 'test':
      return {
        headline: `Test of the alert destination "${fact.data.destination}"`,
        facts: [['What to do', 'Nothing. Alerts will arrive here like this message.']],
        linkText: 'Open the notification settings',
      }
  }
}

/** The page that an event is about, below the workspace. */
export function eventPath(fact: DeliveryFact): string {
  switch (fact.type) {
    case 'incident.opened':
    case 'deadline.warning':
    case 'approval.requested':
      return `incidents/${fact.data.incident.id}`
    case 'report.received':
      return `inbox/${fact.data.report.number}`
    case 'test':
      return 'settings/notifications'
  }
}

function openedWording(
  { data, about }: Extract<DeliveryFact, { type: 'incident.opened' }>,
  show: ShowTime,
): Wording {
  const { reference, title, family, vulnKey, source, awareAt } = data.incident
  return {
    headline: `Incident ${reference} opened: ${title}`,
    facts: [
      ...dueFact(about, show),
      ...named('Vulnerability', vulnKey),
      ...named('Product family', family),
      ...affectedFacts(about),
      ['Known exploited', `listed by ${catalogueNames[source]}`],
      ['Clocks run from', show(awareAt)],
    ],
    linkText: 'Open the incident',
  }
}

function dueFact(about: IncidentAbout | undefined, show: ShowTime): [string, string][] {
  const dueAt = about?.earlyWarningDueAt ?? null
  return named('Early warning due', dueAt === null ? null : show(dueAt))
}

function affectedFacts(about: IncidentAbout | undefined): [string, string][] {
  if (about === undefined) return []
  const { components, versions, severity, fixedIn, malware = null } = about
  return [
    ...named('Product versions', versions),
    ...named('Component', components),
    ...named('Severity', severity === 'unknown' ? null : severity),
    ...named('What to do', malware === null ? null : `Remove ${malware}: it is malware`),
    ...named('Fixed in', fixedIn ?? (malware === null ? 'no version is known' : null)),
  ]
}

function named(label: string, value: string | null): [string, string][] {
  return value === null ? [] : [[label, value]]
}
