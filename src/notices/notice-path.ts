import type { AlertFact } from '../contract/alerts/events.ts'
import type { NoticeData, NoticeFact } from '../contract/notices/shapes.ts'
import { eventPath } from './messages/event-wording.ts'
import { isAboutAccount, type AccountFact } from './account-wording.ts'
import { isEvent } from './wording.ts'

/** Path of the page that a notice is about. `slug` is null for a person's own account. */
export function noticePath(fact: NoticeFact, slug: string | null): string {
  if (slug === null || isAboutAccount(fact)) return '/app/account'
  if (isEvent(fact)) return `/app/${slug}/${eventPath(fact)}`
  return `/app/${slug}${pathInWorkspace(fact)}`
}

/** For those that are not about one single thing. */
const listPaths = {
  'finding.new': '/vulnerabilities?sort=newest',
  'finding.exploited': '/vulnerabilities?exploited=true',
  'coverage.lost': '/sources',
  'member.joined': '/settings/members',
  'member.role_changed': '/settings/members',
  'member.removed': '/settings/members',
  'token.expiring': '/settings/tokens',
  'token.created': '/settings/tokens',
  'token.revoked': '/settings/tokens',
  'plan.ending': '',
} as const

function pathInWorkspace(fact: Exclude<NoticeFact, AlertFact | AccountFact>): string {
  switch (fact.type) {
    case 'deadline.overdue':
    case 'incident.note':
      return `/incidents/${fact.data.incident.id}`
    case 'incident.untaken':
      return untakenPath(fact.data)
    case 'report.message':
    case 'report.unanswered':
      return `/inbox/${fact.data.report.number}`
    case 'finding.malware':
      return malwarePath(fact.data)
    case 'upload.failed':
      return fact.data.sboms === 0 ? '/settings/connector' : '/families'
    default:
      return listPaths[fact.type]
  }
}

function untakenPath({ incidents: [first, ...others], more }: NoticeData['incident.untaken']): string {
  return first !== undefined && others.length + more === 0
    ? `/incidents/${first.id}`
    : '/incidents?assignee=none'
}

function malwarePath({ findings: [first, ...others], more, isOver }: NoticeData['finding.malware']): string {
  if (first !== undefined && others.length + more === 0) return `/findings/${first.id}`
  return isOver === true ? '/vulnerabilities' : '/vulnerabilities?recordClass=malware'
}
