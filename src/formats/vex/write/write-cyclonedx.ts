import { parseCpe } from '../../cpe.ts'
import { parsePurl } from '../../purl/purl.ts'
import type { Identifiers } from '../identifiers.ts'
import { justificationWord } from '../justification-words.ts'
import { present } from '../statement-fields.ts'
import { StateComponents, type VexState, type VexStateEntry, type VexStateTarget } from '../vex-state.ts'
import { verdictWord } from '../verdict-words.ts'

const productReference = 'product'

/**
 * CycloneDX 1.6: the product as `metadata.component`, its components, and a vulnerability for each entry. In the form `bom_link`
 * components are named by their places in their SBOM, and listed here only where it has no reference for them.
 */
export function cyclonedxDocument(state: VexState) {
  const components = new StateComponents()
  const vulnerabilities = writtenEntries(state).map((entry) => vulnerabilityOf(entry, state, components))
  const { name, version, purl, cpe } = state.product
  const { documentId, number, at } = state.revision
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${documentId}`,
    version: number,
    metadata: {
      timestamp: at.toISOString(),
      manufacturer: { name: state.author },
      component: {
        'bom-ref': productReference,
        type: 'application',
        name,
        ...present({ version, purl, cpe }),
      },
    },
    components: components.components.map((identifiers, index) => ({
      'bom-ref': componentReference(index + 1),
      type: 'library',
      ...coordinates(identifiers),
      ...identifiers,
    })),
    vulnerabilities,
  }
}

/** trivy keeps one entry of an id, the last one: that is one which hides something, where there is one. */
const hides = ({ verdict }: VexStateEntry) => verdict === 'not_affected' || verdict === 'fixed'

function writtenEntries({ entries, form }: VexState): readonly VexStateEntry[] {
  if (form === 'bom_link') return entries.toSorted((a, b) => Number(hides(a)) - Number(hides(b)))
  if (form !== 'every_id') return entries
  return entries.flatMap((entry) =>
    entry.vulnerabilityIds.map((id) => ({
      ...entry,
      vulnerabilityIds: [id, ...entry.vulnerabilityIds.filter((other) => other !== id)],
    })),
  )
}

function vulnerabilityOf(entry: VexStateEntry, state: VexState, components: StateComponents) {
  const [id = '', ...aliases] = entry.vulnerabilityIds
  const { verdict, justification, impact, action, time } = entry
  return {
    id,
    source: sourceOf(id),
    ...(aliases.length > 0 && {
      references: aliases.map((alias) => ({ id: alias, source: sourceOf(alias) })),
    }),
    ...present({ recommendation: action }),
    analysis: {
      state: verdictWord('cyclonedx', verdict),
      ...(verdict === 'not_affected' &&
        justification && { justification: justificationWord('cyclonedx', justification) }),
      ...present({ detail: impact }),
      lastUpdated: time,
    },
    affects: distinctReferences(entry.targets.flatMap((target) => referencesOf(target, state, components))),
  }
}

/** Who gives ids that begin so, in the words by which Dependency-Track knows them; it skips an entry without such a word. */
const sources: [start: string, name: string][] = [
  ['CVE-', 'NVD'],
  ['GHSA-', 'GITHUB'],
  ['SNYK-', 'SNYK'],
  ['EUVD-', 'EUVD'],
]

function sourceOf(id: string): { name: string } {
  return { name: sources.find(([start]) => id.startsWith(start))?.[1] ?? 'OSV' }
}

function referencesOf(
  target: VexStateTarget,
  { links }: VexState,
  components: StateComponents,
): { ref: string }[] {
  if (target.kind === 'product') return [{ ref: productReference }]
  const linked = links?.get(target.purl ?? target.cpe ?? '') ?? []
  if (linked.length > 0) return linked.map((ref) => ({ ref }))
  return [{ ref: componentReference(components.number(target)) }]
}

/** A component that is named in several ways is affected once. */
function distinctReferences(references: readonly { ref: string }[]): { ref: string }[] {
  return [...new Set(references.map(({ ref }) => ref))].map((ref) => ({ ref }))
}

function componentReference(number: number): string {
  return `component-${number}`
}

/**
 * A component must have a name: that of its package URL or CPE, else the identifier itself. The group keeps tools that compare group,
 * name and version from taking it for a namesake.
 */
function coordinates({ purl, cpe }: Identifiers): { group?: string; name: string; version?: string } {
  const parsed = purl === undefined ? undefined : parsePurl(purl)
  if (parsed) {
    const { namespace: group, name, version } = parsed
    return { ...present({ group }), name, ...present({ version }) }
  }
  const product = cpe === undefined ? undefined : parseCpe(cpe)?.product
  return { name: (product?.kind === 'text' ? product.text : undefined) ?? purl ?? cpe ?? '' }
}
