import { sortedKeys } from '../../json/sorted-keys.ts'
import { CsafProducts } from './write-csaf-products.ts'
import { csafVulnerability, vulnerabilityName } from './write-csaf-vulnerability.ts'
import { productLabel, type VexRevision, type VexState, type VexStateEntry } from '../vex-state.ts'

/** CSAF 2.0 of the VEX profile (4.5). Its one time is `current_release_date`; remarks carry the times of their entries. */
export function csafDocument(state: VexState) {
  const products = new CsafProducts(state)
  const vulnerabilities = Array.from(byVulnerability(state.entries), ([name, entries]) =>
    csafVulnerability(name, entries, products),
  )
  return sortedKeys({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      distribution: { tlp: { label: 'WHITE', url: 'https://www.first.org/tlp/' } },
      lang: 'en',
      publisher: { category: 'vendor', name: state.author, namespace: state.namespace },
      references: [{ category: 'self', summary: 'This document', url: state.address }],
      title: `Vulnerabilities of ${productLabel(state.product)}`,
      tracking: tracking(state.revision),
    },
    product_tree: products.tree(),
    vulnerabilities,
  })
}

/** Semantic versions, whose history needs no entry for every minor one (6.1.21). */
function tracking({ documentId, number, firstAt, at }: VexRevision) {
  const [first, last] = [firstAt.toISOString(), at.toISOString()]
  const version = `1.${number - 1}.0`
  const history = [{ number: '1.0.0', date: first, summary: 'The first export.' }]
  if (number > 1) history.push({ number: version, date: last, summary: 'The state at this time.' })
  return {
    id: documentId,
    status: 'final',
    version,
    initial_release_date: first,
    current_release_date: last,
    revision_history: history,
    generator: { engine: { name: 'SBOM Monitor' } },
  }
}

/** A CVE may occur only once in a document (6.1.23). */
function byVulnerability(entries: readonly VexStateEntry[]): Map<string, VexStateEntry[]> {
  const groups = new Map<string, VexStateEntry[]>()
  for (const entry of entries) {
    const name = vulnerabilityName(entry)
    const group = groups.get(name)
    if (group) group.push(entry)
    else groups.set(name, [entry])
  }
  return groups
}
