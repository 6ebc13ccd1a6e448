import type { Identifiers } from '../identifiers.ts'
import { present } from '../statement-fields.ts'
import { demandedTexts, impactText, type VexState, type VexStateEntry } from '../vex-state.ts'
import { verdictWord } from '../verdict-words.ts'

/**
 * OpenVEX 0.2.0: a statement for each entry; components are subcomponents of the product, or in the form `component` products
 * themselves, which says the same of every product that they are in.
 */
export function openvexDocument(state: VexState) {
  const { documentId, number, firstAt, at } = state.revision
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${documentId}`,
    author: state.author,
    // optional in the standard; lib4vex, and so cve-bin-tool, takes no document without it
    role: 'Vendor',
    timestamp: firstAt.toISOString(),
    ...(number > 1 && { last_updated: at.toISOString() }),
    version: number,
    statements: state.entries.map((entry) => statementOf(entry, state)),
  }
}

function statementOf(entry: VexStateEntry, state: VexState) {
  const { vulnerabilityIds, verdict, time } = entry
  const [name = '', ...aliases] = vulnerabilityIds
  const isNotAffected = verdict === 'not_affected'
  return {
    vulnerability: { name, ...(aliases.length > 0 && { aliases }) },
    timestamp: time,
    products: productsOf(entry, state),
    status: verdictWord('openvex', verdict),
    ...present({
      justification: isNotAffected ? entry.justification : undefined,
      impact_statement: isNotAffected ? impactText(entry) : undefined,
      status_notes: isNotAffected ? undefined : entry.impact,
      action_statement: entry.action ?? (verdict === 'affected' ? demandedTexts.action : undefined),
    }),
  }
}

/** The product by itself for a verdict on the whole of it, and as the carrier of the components. */
function productsOf({ targets }: VexStateEntry, { product, form }: VexState) {
  const carrier = productOf(product)
  const components = targets.filter((target) => target.kind === 'component').map(identified)
  const products: (typeof carrier & { subcomponents?: typeof components })[] = []
  if (targets.some(({ kind }) => kind === 'product')) products.push(carrier)
  if (form === 'component') products.push(...components)
  else if (components.length > 0) products.push({ ...carrier, subcomponents: components })
  return products
}

/** A product must have an IRI as its `@id`; one without identifiers is given its own, else a generic package URL. */
function productOf({ name, version, id, purl, cpe }: VexState['product']) {
  if (purl !== undefined || cpe !== undefined) return identified({ purl, cpe })
  if (id !== undefined) return { '@id': id }
  const versionPart = version === null ? '' : `@${encodeURIComponent(version)}`
  return { '@id': `pkg:generic/${encodeURIComponent(name)}${versionPart}` }
}

function identified({ purl, cpe }: { [K in keyof Identifiers]: string | undefined }) {
  const cpeKey = cpe?.toLowerCase().startsWith('cpe:2.3:') === true ? 'cpe23' : 'cpe22'
  return {
    '@id': purl ?? cpe ?? '',
    ...(cpe !== undefined && { identifiers: { ...present({ purl }), [cpeKey]: cpe } }),
  }
}
