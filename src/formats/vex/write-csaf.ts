import { CsafProducts } from './write-csaf-products.ts'
import { csafVulnerability, vulnerabilityName } from './write-csaf-vulnerability.ts'
import { productLabel } from './vex-state.ts'
import type { VexState, VexStateEntry } from './vex-state.ts'

/** CSAF 2.0 of the VEX profile (4.5). Its one time is `current_release_date`; remarks carry the times of their entries. */
export function csafDocument(state: VexState) {
  const products = new CsafProducts(state)
  const vulnerabilities = Array.from(byVulnerability(state.entries), ([name, entries]) =>
    csafVulnerability(name, entries, products),
  )
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      lang: 'en',
      publisher: { category: 'vendor', name: state.author, namespace: state.namespace },
      title: `Vulnerabilities of ${productLabel(state.product)}`,
      tracking: {
        id: state.documentId,
        status: 'final',
        version: '1',
        initial_release_date: state.time,
        current_release_date: state.time,
        revision_history: [{ number: '1', date: state.time, summary: 'The state at this time.' }],
        generator: { engine: { name: 'SBOM Monitor' } },
      },
    },
    product_tree: products.tree(),
    vulnerabilities,
  }
}

/** A CVE may stand only once in a document (6.1.23). */
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
