import { parseCpe } from '../../cpe/cpe.ts'
import { parsePurl } from '../../purl/purl.ts'
import type { Identifiers } from '../identifiers.ts'
import { justificationWord } from '../justification-words.ts'
import { present } from '../statement-fields.ts'
import { StateComponents } from '../vex-state.ts'
import type { VexState, VexStateEntry, VexStateTarget } from '../vex-state.ts'
import { verdictWord } from '../verdict-words.ts'

const productReference = 'product'

/** CycloneDX 1.6: the product as `metadata.component`, its components, and a vulnerability for each entry. */
export function cyclonedxDocument(state: VexState) {
  const components = new StateComponents()
  const vulnerabilities = state.entries.map((entry) => vulnerabilityOf(entry, components))
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
      ...nameAndVersion(identifiers),
      ...identifiers,
    })),
    vulnerabilities,
  }
}

function vulnerabilityOf(entry: VexStateEntry, components: StateComponents) {
  const [id = '', ...aliases] = entry.vulnerabilityIds
  const { verdict, justification, impact, action, time } = entry
  return {
    id,
    ...(aliases.length > 0 && { references: aliases.map((alias) => ({ id: alias, source: {} })) }),
    ...present({ recommendation: action }),
    analysis: {
      state: verdictWord('cyclonedx', verdict),
      ...(verdict === 'not_affected' &&
        justification && { justification: justificationWord('cyclonedx', justification) }),
      ...present({ detail: impact }),
      lastUpdated: time,
    },
    affects: entry.targets.map((target) => ({ ref: referenceOf(target, components) })),
  }
}

function referenceOf(target: VexStateTarget, components: StateComponents): string {
  return target.kind === 'product' ? productReference : componentReference(components.number(target))
}

function componentReference(number: number): string {
  return `component-${number}`
}

/** A component must have a name: that of its package URL or CPE, else the identifier itself. */
function nameAndVersion({ purl, cpe }: Identifiers): { name: string; version?: string } {
  const parsed = purl === undefined ? undefined : parsePurl(purl)
  if (parsed) return { name: parsed.name, ...present({ version: parsed.version }) }
  const product = cpe === undefined ? undefined : parseCpe(cpe)?.product
  return { name: (product?.kind === 'text' ? product.text : undefined) ?? purl ?? cpe ?? '' }
}
