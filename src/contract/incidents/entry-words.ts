import { regimes, reportStages } from '../alerts/events.ts'
import type { IncidentEntry } from './shapes.ts'
import type { EntryKind } from './words.ts'
import { shownSecond } from '../shown-time.ts'
import { catalogueNames, regimeNames, stageNames, valueNames } from './incident-names.ts'

type Data = IncidentEntry['data']
type Sentence = string | ((data: Data) => string)

/** A line of an incident's timeline as a sentence, the same on pages and in the evidence file. Who did it, and when, is beside it. */
export function entryWords({ kind, data }: Pick<IncidentEntry, 'kind' | 'data'>): string {
  const sentence = sentences[kind]
  const words = typeof sentence === 'string' ? sentence : sentence(data)
  return kind === 'commented' || /[.!?]$/.test(words) ? words : `${words}.`
}

const sentences: Record<EntryKind, Sentence> = {
  opened: (data) => `${data['isExercise'] === true ? 'Opened an exercise' : 'Opened'}${openedBy(data)}`,
  follow_up: 'It follows a closed incident on the same vulnerability',
  linked: (data) =>
    `Its vulnerability turned out to be that of ${text(data, 'reference')} (${text(data, 'vulnKey')}), where a report may already have been filed`,
  affected_added: (data) => `Also affected: ${matches(data)}`,
  left_sbom: (data) => `No longer in the active SBOM${after(': ', matches(data))}`,
  back_in_sbom: (data) => `Back in the active SBOM${after(': ', matches(data))}`,
  unnamed: (data) => `No record names ${matches(data) || 'it'} any more`,
  named_again: (data) => `A record names ${matches(data) || 'it'} again`,
  declared: (data) => `Declared${declared(data)}`,
  undeclared: (data) => `No longer declared${declared(data)}`,
  listed: (data) => `${catalogue(data)} lists the vulnerability as exploited`,
  unlisted: (data) => `${catalogue(data)} no longer lists the vulnerability`,
  monitoring_resumed: (data) =>
    `It was found when monitoring was resumed${after(' after the pause from ', time(data, 'pausedFrom'))}`,
  awareness_changed: (data) => `Changed the time of awareness${fromTo(data)}`,
  awareness_requested: (data) =>
    `Asked to change the time of awareness${fromTo(data)}: a second person decides`,
  awareness_decided: (data) =>
    data['state'] === 'superseded'
      ? `Ended the change of the time of awareness${fromTo(data)}, which waited for a second person: an earlier time counts now`
      : `${decided(data)} the change of the time of awareness${fromTo(data)}`,
  measure_changed: (data) => `Changed when a measure became available${changes(data)}`,
  facts_changed: (data) => `Changed facts${changes(data)}`,
  regime_on: (data) => `Switched on ${regime(data)}${reason(data)}`,
  regime_off: (data) => `Switched off ${regime(data)}${reason(data)}`,
  regime_off_requested: (data) =>
    `Asked to switch off ${regime(data)}${reason(data)}. A second person decides; its clocks run meanwhile`,
  regime_off_decided: (data) =>
    `${decided(data)} switching off ${regime(data)}${after(': ', text(data, 'comment'))}`,
  report_waived: (data) =>
    `Declared the ${report(data)} not required: a risk to people is unlikely${reason(data)}`,
  determination_recorded: (data) => `Recorded the determination “${value(data)}”`,
  determination_decided: (data) => `${decided(data)} the determination “${value(data)}”`,
  determination_withdrawn: (data) => `Withdrew the determination “${value(data)}”`,
  warned: (data) => `The ${report(data)} is due${after(' at ', time(data, 'dueAt'))}: warned`,
  overdue: (data) => `The ${report(data)} ${overdueSince(time(data, 'dueAt'))}`,
  draft_saved: (data) => `Saved the draft of the ${report(data)}`,
  submitted,
  submission_corrected: (data) =>
    `Corrected when the ${report(data)} was submitted${fromTo(data)}${reason(data)}`,
  receipt_added: (data) => `Added the receipt of the ${report(data)}${after(': ', text(data, 'name'))}`,
  users_informed: (data) => `Informed the users${after(': ', text(data, 'how'))}`,
  maintainer_informed: (data) => `Informed the maintainer of the component${after(': ', text(data, 'how'))}`,
  task_added: (data) => `Added the task “${text(data, 'title')}”`,
  task_done: (data) => `Completed the task “${text(data, 'title')}”`,
  assigned: (data) =>
    text(data, 'person') === '' ? unassigned(data) : `Assigned it to ${text(data, 'person')}`,
  commented: (data) => text(data, 'text'),
  advisory_linked: (data) => `Linked the advisory ${text(data, 'name')}`,
  report_linked: (data) =>
    `Linked the report from outside ${text(data, 'name')}${after('. Aware at another time than it came: ', text(data, 'awareReason'))}`,
  report_unlinked: (data) => `Unlinked the report from outside ${text(data, 'name')}`,
  closed: (data) => `Closed${reason(data)}`,
  reopened: (data) =>
    `Reopened ${data['as'] === 'new_evidence' ? 'with new evidence' : 'with the same facts'}${reason(data)}`,
}

function text(data: Data, name: string): string {
  const given = data[name]
  return typeof given === 'string' ? given : ''
}

/** Nothing where there is nothing to say. */
function after(words: string, said: string): string {
  return said === '' ? '' : `${words}${said}`
}

function time(data: Data, name: string): string {
  const given = text(data, name)
  return given === '' || Number.isNaN(Date.parse(given)) ? '' : shownSecond(given)
}

function overdueSince(at: string): string {
  return at === '' ? 'is overdue' : `has been overdue since ${at}`
}

function fromTo(data: Data): string {
  return `${after(' from ', time(data, 'from'))}${after(' to ', time(data, 'to'))}`
}

function unassigned(data: Data): string {
  const left = text(data, 'left')
  return `Removed the assignee${left === '' ? '' : `: ${left} can no longer work on incidents here`}`
}

function reason(data: Data): string {
  return after(': ', text(data, 'reason'))
}

function decided(data: Data): string {
  if (data['state'] === 'withdrawn') return 'Withdrew'
  if (data['state'] !== 'approved') return 'Rejected'
  return data['selfApproved'] === true ? 'Approved, without a second person,' : 'Approved'
}

function value(data: Data): string {
  const given = text(data, 'value')
  const names: Record<string, string> = valueNames
  return (Object.hasOwn(names, given) ? names[given] : given) ?? given
}

function catalogue(data: Data): string {
  return data['catalogue'] === 'euvd' ? catalogueNames.euvd : catalogueNames.kev
}

function regime(data: Data): string {
  const given = text(data, 'regime')
  const known = regimes.find((one) => one === given)
  return known === undefined ? given : regimeNames[known]
}

/** `early warning (Cyber Resilience Act)` */
function report(data: Data): string {
  const given = text(data, 'report')
  const known = reportStages.find((one) => one === given)
  const stage = known === undefined ? given : stageNames[known].toLowerCase()
  const cycle = typeof data['cycle'] === 'number' && data['cycle'] > 1 ? `, cycle ${data['cycle']}` : ''
  return `${stage} (${regime(data)}${cycle})`
}

function submitted(data: Data): string {
  const what = { update: 'an update of the', amendment: 'an amendment of the' }[text(data, 'kind')] ?? 'the'
  const channel = after(' by ', text(data, 'channel'))
  const to = after(' to ', text(data, 'authority'))
  const number = after(', reference ', text(data, 'reference'))
  const late = data['isLate'] === true ? ', late' : ''
  const early = data['beforeApproval'] === true ? '. Filed before approval' : ''
  return `Submitted ${what} ${report(data)}${to}${channel}${number}${after(' at ', time(data, 'submittedAt'))}${late}${early}`
}

function openedBy(data: Data): string {
  const found = matches(data)
  const source = data['source']
  if (source === 'kev' || source === 'euvd')
    return `: ${catalogueNames[source]} lists the vulnerability${after(', affected: ', found)}`
  return source === 'report' ? ' from a report from outside' : ' by hand'
}

/** ` not affected by the VEX document urn:pump: log4j-core 2.14.1 in version 1.0` */
function declared(data: Data): string {
  const verdict = data['verdict'] === 'fixed' ? 'fixed' : 'not affected'
  const document = after('the VEX document ', text(data, 'document'))
  const member = text(data, 'by') || 'a member'
  return ` ${verdict} by ${document || `the verdict of ${member}`}${after(': ', matches(data))}`
}

const shownMatches = 5

/** `Pump 1.0: log4j-core 2.14.1, and 3 more` */
function matches(data: Data): string {
  const given: unknown[] = Array.isArray(data['matches']) ? data['matches'] : []
  const named = given.filter((match): match is Data => typeof match === 'object' && match !== null)
  const total = typeof data['count'] === 'number' ? data['count'] : named.length
  const shown = named.slice(0, shownMatches)
  const more = total > shown.length ? [`${total - shown.length} more`] : []
  const words = shown.map((match) => {
    const component = [text(match, 'component'), text(match, 'componentVersion')].filter(Boolean).join(' ')
    return `${component}${after(' in version ', text(match, 'version'))}`
  })
  return [...words, ...more].join(', ')
}

const factNames: Readonly<Record<string, string>> = {
  title: 'title',
  occurredAt: 'occurred',
  measureAvailableAt: 'measure available',
  memberStates: 'Member States',
  severity: 'severity',
}

/** `: severity from high to critical` */
function changes(data: Data): string {
  const [from, to] = [data['before'], data['after']].map((facts) =>
    typeof facts === 'object' && facts !== null ? (facts as Data) : {},
  )
  if (from === undefined || to === undefined) return ''
  const words = Object.keys(to).map(
    (name) => `${factNames[name] ?? name} from ${fact(from, name)} to ${fact(to, name)}`,
  )
  return after(': ', words.join('; '))
}

function fact(facts: Data, name: string): string {
  const given = facts[name]
  if (Array.isArray(given)) return given.length === 0 ? 'none' : given.map(String).join(', ')
  if (name.endsWith('At')) return time(facts, name) || 'none'
  return text(facts, name) || 'none'
}
