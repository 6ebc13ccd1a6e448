import type { NoticeData, NoticeFact } from '../contract/notices/shapes.ts'
import type { Wording } from './messages/event-wording.ts'
import { named, placeOf } from './wording.ts'

/** The second line of an entry in the bell: the first fact that its headline does not say already. null: there is none. */
export function bellDetail(fact: NoticeFact, { headline, facts }: Wording): string | null {
  const listed = fact.type === 'finding.malware' ? malwareList(fact.data) : null
  if (listed !== null) return listed
  const news = facts.find(([, value]) => !headline.includes(value))
  if (news === undefined) return null
  const [label, value] = news
  return headline.includes(label) ? value : `${label}: ${value}`
}

/** Of several, which: the products of one component, otherwise the components. */
function malwareList({ components, findings, more }: NoticeData['finding.malware']): string | null {
  const places = findings.flatMap(({ product }) => (product === undefined ? [] : [placeOf(product)]))
  const isOne = (components ?? findings.length + more) === 1
  if (isOne && places.length === 0) return null
  const names = [...new Set(isOne ? places : findings.map(named))]
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}
