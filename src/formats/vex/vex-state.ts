import type { Justification, Verdict, VexForm } from '../../contract/vex/shapes.ts'
import type { Identifiers } from './identifiers.ts'

/** What is in force for a product, whatever format it is written in. Times are ISO 8601 UTC. */
export type VexState = {
  /** What the document is called, and which of its versions this is. */
  revision: VexRevision
  /** The company that states it, and the URI that stands for it (CSAF 2.0, 3.2.1.8.5). */
  author: string
  namespace: string
  /** Where it can be had again; ends with the name of its file (CSAF 2.0, 6.2.11). */
  address: string
  /** One of its format; `in_product` by default. */
  form?: VexForm
  /** With the form `bom_link`: BOM-Links to the places of a component in its SBOM, by its purl, else its CPE. */
  links?: ReadonlyMap<string, readonly string[]>
  /** `version` is null where the state holds for every version; `id` stands for a product without identifiers. */
  product: { name: string; version: string | null; id?: string } & Identifiers
  /** At most one entry for each vulnerability and target; at least one. */
  entries: VexStateEntry[]
}

/** The id, a UUID, stays over all exports of one state; `number` counts them from 1. */
export type VexRevision = { documentId: string; number: number; firstAt: Date; at: Date }

export type VexStateEntry = {
  /** At least one; the first is the name, the others are aliases. */
  vulnerabilityIds: string[]
  verdict: Verdict
  /** Written for `not_affected` only: the formats know it for no other verdict. */
  justification?: Justification
  impact?: string
  action?: string
  time: string
  /** At least one. */
  targets: VexStateTarget[]
}

/** The whole product, or one of its components, which has a purl or a CPE. */
export type VexStateTarget = { kind: 'product' } | ({ kind: 'component' } & Identifiers)

/** What is written where a format demands a text and the state has none. */
export const demandedTexts = {
  impact: 'No justification is given.',
  action: 'No remedy is known yet.',
} as const

/** The impact that must accompany a verdict of not affected without a justification (OpenVEX 0.2.0; CSAF 2.0, 6.1.27.9). */
export function impactText({ verdict, justification, impact }: VexStateEntry): string | undefined {
  const isDemanded = verdict === 'not_affected' && justification === undefined
  return impact ?? (isDemanded ? demandedTexts.impact : undefined)
}

export function productLabel({ name, version }: VexState['product']): string {
  return version === null ? name : `${name} ${version}`
}

/** Numbers the components of the entries in the order of their first mention; equal identifiers are one component. */
export class StateComponents {
  readonly components: Identifiers[] = []
  readonly #numbers = new Map<string, number>()

  /** Counted from 1. */
  number({ purl, cpe }: Identifiers): number {
    const key = `${purl ?? ''}\n${cpe ?? ''}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.components.push({
      ...(purl === undefined ? {} : { purl }),
      ...(cpe === undefined ? {} : { cpe }),
    })
    this.#numbers.set(key, number)
    return number
  }
}
