import type { DocumentScore, DocumentVulnerability } from '../advisories/document/read-document.ts'
import { shownDay } from '../contract/shown-time.ts'
import { html, type Html } from '../html/html.ts'
import { outwardLink } from './advisory-parts.ts'
import type { NamedProducts } from './named-products.ts'

/** CVSS 2.0 has no words of its own. */
const severityWords: Record<string, string> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  NONE: 'none',
}

/** How bad a vulnerability is, what kind of weakness it is, and since when it is known; null: the document does not say. */
export function vulnerabilityFacts(vulnerability: DocumentVulnerability, names: NamedProducts): Html | null {
  const { scores = [], cwe, discovery_date: found, release_date: released } = vulnerability
  const affected = affectedProducts(vulnerability)
  const facts = [
    ...scores.flatMap((score) => scoreFacts(score, { names, affected })),
    ...(cwe === undefined ? [] : [fact('Weakness', weakness(cwe))]),
    ...(found === undefined ? [] : [fact('Found', html`${shownDay(found.slice(0, 10))}`)]),
    ...(released === undefined ? [] : [fact('Made public', html`${shownDay(released.slice(0, 10))}`)]),
  ]
  return facts.length === 0 ? null : html`<dl>${facts}</dl>`
}

function fact(name: string, value: Html): Html {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`
}

function affectedProducts({ product_status: lists = {} }: DocumentVulnerability): Set<string> {
  return new Set([...(lists['known_affected'] ?? []), ...(lists['under_investigation'] ?? [])])
}

type Scored = { names: NamedProducts; affected: ReadonlySet<string> }

/** Products are named where the score is not about all that are affected. */
function scoreFacts({ products, cvss_v2: second, cvss_v3: third }: DocumentScore, scored: Scored): Html[] {
  const { names, affected } = scored
  const isOfAll = products.length === affected.size && products.every((id) => affected.has(id))
  const who = isOfAll ? '' : ` for ${names.list(products)}`
  return [third, second]
    .filter((cvss) => cvss !== undefined)
    .map(({ version, baseScore, baseSeverity = '', vectorString }) => {
      const word = severityWords[baseSeverity]
      const rated = word === undefined ? baseScore.toFixed(1) : `${baseScore.toFixed(1)}, ${word}`
      return fact(
        `CVSS ${version}`,
        html`<strong>${rated}</strong>${who} <span class="mono quiet">${vectorString}</span>`,
      )
    })
}

function weakness({ id, name }: { id: string; name: string }): Html {
  const number = /^CWE-(\d+)$/.exec(id)?.[1]
  const label = `${id}: ${name}`
  return number === undefined
    ? html`${label}`
    : html`${outwardLink(`https://cwe.mitre.org/data/definitions/${number}.html`, label)}`
}
