import { alertTypes } from '../contract/alerts/shapes.ts'
import type { AlertFact } from '../contract/alerts/events.ts'
import type { IncidentNote, NoticeData, NoticeFact } from '../contract/notices/shapes.ts'
import { ecosystemName } from '../contract/inventory/ecosystem-name.ts'
import { lostReasons } from '../contract/inventory/lost-words.ts'
import { severities } from '../contract/severities.ts'
import { regimeNames, stageNames } from '../contract/incidents/incident-names.ts'
import { shownTime, type ShowTime } from '../contract/shown-time.ts'
import { wordingOf, type Wording } from './messages/event-wording.ts'
import { accountWording, isAboutAccount, type AccountFact } from './account-wording.ts'

/** A notice in words. */
export function noticeWording(fact: NoticeFact, show: ShowTime = shownTime): Wording {
  if (isEvent(fact)) return wordingOf(fact, show)
  if (isAboutAccount(fact)) return accountWording(fact)
  if (isMemberFact(fact)) return memberWording(fact, show)
  switch (fact.type) {
    case 'deadline.overdue':
      return overdueWording(fact.data, show)
    case 'incident.note':
      return noteWording(fact.data)
    case 'incident.untaken':
      return untakenWording(fact.data, show)
    case 'finding.malware':
      return malwareWording(fact.data)
    default:
      return workspaceWording(fact, show)
  }
}

type WorkspaceFact = Exclude<
  NoticeFact,
  | AlertFact
  | AccountFact
  | MemberFact
  | { type: 'deadline.overdue' | 'incident.note' | 'incident.untaken' | 'finding.malware' }
>

function workspaceWording(fact: WorkspaceFact, show: ShowTime): Wording {
  switch (fact.type) {
    case 'report.message':
    case 'report.unanswered':
      return reportWording(fact, show)
    case 'finding.new':
    case 'finding.exploited':
    case 'upload.failed':
    case 'coverage.lost':
      return dailyWording(fact)
    case 'token.expiring':
    case 'token.created':
    case 'token.revoked':
      return tokenWording(fact, show)
    case 'plan.ending':
      return {
        headline: `The ${fact.data.plan} ends ${show(fact.data.endsAt)}`,
        facts: [['What stops', 'The workspace becomes read-only: uploads are refused and matching pauses.']],
        linkText: 'Open the workspace',
      }
  }
}

type TokenFact = Extract<NoticeFact, { type: 'token.expiring' | 'token.created' | 'token.revoked' }>

function tokenWording(fact: TokenFact, show: ShowTime): Wording {
  const linkText = 'Open the API tokens'
  const { kind, name } = fact.data.token
  const token = `The ${kind} token "${name}"`
  if (fact.type === 'token.expiring') {
    const facts = [['What stops', 'Requests with it are refused from then on.']] as const
    return { headline: `${token} expires ${show(fact.data.endsAt)}`, facts, linkText }
  }
  const { by, at } = fact.data
  const facts = [
    ['By', by],
    ['At', show(at)],
  ] as const
  return {
    headline: `${token} was ${fact.type === 'token.created' ? 'created' : 'revoked'}`,
    facts,
    linkText,
  }
}

type MemberFact = Extract<NoticeFact, { type: `member.${string}` }>

function isMemberFact(fact: NoticeFact): fact is MemberFact {
  return fact.type.startsWith('member.')
}

function memberWording({ type, data }: MemberFact, show: ShowTime): Wording {
  const at = ['At', show(data.at)] as const
  const linkText = 'Open the members'
  const { member } = data
  switch (type) {
    case 'member.joined':
      return {
        headline: `${member} joined as ${data.role}`,
        facts: [['Invited by', data.by], at],
        linkText,
      }
    case 'member.role_changed':
      return {
        headline: `${member} is now ${data.to}`,
        facts: [['Before', data.from], ['By', data.by], at],
        linkText,
      }
    case 'member.removed': {
      const tokens =
        data.tokens === 0
          ? 'none that works'
          : `${noun(data.tokens, 'token')} they created keep working until revoked`
      return {
        headline: data.by === null ? `${member} left` : `${member} was removed`,
        facts: [['API tokens', tokens], ...(data.by === null ? [] : ([['By', data.by]] as const)), at],
        linkText,
      }
    }
  }
}

function overdueWording(
  { incident, regime, report, dueAt }: NoticeData['deadline.overdue'],
  show: ShowTime,
): Wording {
  return {
    headline: `${stageNames[report]} for ${incident.reference} has been overdue since ${show(dueAt)}`,
    facts: [
      ['Incident', incident.title],
      ['Regime', regimeNames[regime]],
    ],
    linkText: 'Open the report',
  }
}

const noteHeadlines: Record<IncidentNote, (reference: string) => string> = {
  assigned: (reference) => `${reference} was assigned to you`,
  mentioned: (reference) => `You were mentioned on ${reference}`,
  determination_rejected: (reference) => `The determination on ${reference} was rejected`,
  determination_approved: (reference) => `The determination on ${reference} was approved`,
  awareness_requested: (reference) => `Another time of awareness of ${reference} waits for approval`,
  awareness_approved: (reference) => `The other time of awareness of ${reference} was approved`,
  awareness_rejected: (reference) => `The other time of awareness of ${reference} was rejected`,
  awareness_superseded: (reference) =>
    `The other time of awareness of ${reference} that waited has ended: an earlier time counts now`,
  regime_off_requested: (reference) => `Switching off a regime on ${reference} waits for approval`,
  regime_off_approved: (reference) => `Switching off a regime on ${reference} was approved`,
  regime_off_rejected: (reference) => `Switching off a regime on ${reference} was rejected`,
  evidence_added: (reference) => `A known exploited vulnerability matched ${reference}`,
  listed_after_closing: (reference) =>
    `The vulnerability of ${reference}, which is closed, is known to be exploited`,
}

function noteWording({ incident, what, by }: NoticeData['incident.note']): Wording {
  return {
    headline: noteHeadlines[what](incident.reference),
    facts: [['Incident', incident.title], ...(by === null ? [] : ([['By', by]] as const))],
    linkText: 'Open the incident',
  }
}

function untakenWording({ incidents, more, since }: NoticeData['incident.untaken'], show: ShowTime): Wording {
  const [first] = incidents
  const count = incidents.length + more
  const facts = incidents.map(({ reference, title }) => [reference, title] as const)
  const which = count === 1 ? 'it' : 'each'
  const asked = ['What to do', `Open ${which} and choose "Take it", or give it to somebody.`] as const
  return {
    headline:
      count === 1
        ? `${first?.reference ?? ''} has had no assignee since ${show(since)}`
        : `${count} incidents have no assignee, the oldest since ${show(since)}`,
    facts: [...facts, ...(more === 0 ? [] : ([['More', String(more)]] as const)), asked],
    linkText: count === 1 ? 'Open the incident' : 'Open the incidents',
  }
}

/** The remedy is to remove it: there is no version to update to. */
function malwareWording(data: NoticeData['finding.malware']): Wording {
  const { product, families = 1, components, findings, more, isOver = false } = data
  const [first] = findings
  const count = findings.length + more
  const where = families === 1 ? placeOf(product) : noun(families, 'product')
  const isSure = findings.some(({ grade }) => grade === 'exact')
  const different = components ?? count
  const what = different === 1 ? named(first) : noun(different, 'malicious component')
  const facts = findings.map((finding) => {
    const label = finding.product === undefined ? '' : `${placeOf(finding.product)}: `
    const { vulnerability, grade } = finding
    return [`${label}${named(finding)}`, isOver ? vulnerability : `${vulnerability}, ${grade} match`] as const
  })
  const kind = isSure ? 'Malware' : 'Possibly malware'
  return {
    headline: `${isOver ? 'No longer called malware' : kind} in ${where}: ${what}`,
    facts: [
      ...facts,
      ...(more === 0 ? [] : ([['More', String(more)]] as const)),
      isOver
        ? ['Why', 'The record that said so was withdrawn or corrected, or no longer names this version.']
        : ['What to do', 'Remove it, and treat every secret it could reach as known to others.'],
    ],
    linkText: count === 1 ? 'Open the finding' : 'Open the findings',
  }
}

export function placeOf({ family, version }: NoticeData['finding.malware']['product']): string {
  return version === null ? family : `${family} ${version}`
}

export function named(finding: NoticeData['finding.malware']['findings'][number] | undefined): string {
  if (finding === undefined) return ''
  return finding.version === null ? finding.component : `${finding.component} ${finding.version}`
}

type ReportFact = Extract<NoticeFact, { type: 'report.message' | 'report.unanswered' }>

/** Number, family and times: nothing of what was written. */
function reportWording(fact: ReportFact, show: ShowTime): Wording {
  const { number, family } = fact.data.report
  const facts = family === null ? [] : ([['Product family', family]] as const)
  const linkText = 'Open the report'
  if (fact.type === 'report.message') {
    return {
      headline: `The reporter of vulnerability report #${number} wrote to you`,
      facts: [...facts, ['Written', show(fact.data.report.at)]],
      linkText,
    }
  }
  const { receivedAt, acknowledgeBy } = fact.data.report
  const state = fact.data.isOverdue ? 'has been waiting for an answer since' : 'must be answered by'
  return {
    headline: `Vulnerability report #${number} ${state} ${show(acknowledgeBy)}`,
    facts: [...facts, ['Received', show(receivedAt)]],
    linkText,
  }
}

type DailyFact = Extract<
  NoticeFact,
  { type: 'finding.new' | 'finding.exploited' | 'upload.failed' | 'coverage.lost' }
>

function dailyWording(fact: DailyFact): Wording {
  switch (fact.type) {
    case 'finding.new': {
      const counted = severities.flatMap((severity) => {
        const count = fact.data.bySeverity[severity]
        return count === 0 ? [] : [{ severity, count }]
      })
      return {
        headline: noun(
          counted.reduce((sum, { count }) => sum + count, 0),
          'new finding',
        ),
        facts: [['By severity', counted.map(({ severity, count }) => `${count} ${severity}`).join(', ')]],
        linkText: 'Open the vulnerabilities',
      }
    }
    case 'finding.exploited': {
      const { findings, vulnerabilities } = fact.data
      return {
        headline: `${noun(findings, 'finding')} newly known to be exploited`,
        facts: [['Vulnerabilities', vulnerabilities.join(', ')]],
        linkText: 'Open the exploited vulnerabilities',
      }
    }
    case 'upload.failed': {
      const { sboms, refusals, latest } = fact.data
      const parts = [
        ...(sboms === 0 ? [] : [`${noun(sboms, 'SBOM')} could not be matched`]),
        ...(refusals === 0 ? [] : [`${noun(refusals, 'upload')} of connectors refused`]),
      ]
      return {
        headline: parts.join(', '),
        facts: latest === null ? [] : [[latest.family, latest.reason]],
        linkText: sboms === 0 ? 'Open the connector' : 'Open the families',
      }
    }
    case 'coverage.lost':
      return lostWording(fact.data)
  }
}

function lostWording({ ecosystems, more }: NoticeData['coverage.lost']): Wording {
  const total = ecosystems.reduce((sum, { components }) => sum + components, 0)
  const others = more === 0 ? [] : [['More', noun(more, 'ecosystem')] as const]
  return {
    headline: `${more === 0 ? '' : 'More than '}${noun(total, 'component')} no longer covered`,
    facts: [
      ...ecosystems.map(({ ecosystem, components, state }) => {
        return [
          ecosystem === null ? 'Others' : ecosystemName(ecosystem),
          `${noun(components, 'component')}: ${lostReasons[state]}`,
        ] as const
      }),
      ...others,
      ['What it means', 'New vulnerabilities in them are not found.'],
    ],
    linkText: 'Open the sources',
  }
}

function noun(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`
}

export function isEvent(fact: NoticeFact): fact is AlertFact {
  return (alertTypes as readonly string[]).includes(fact.type)
}
