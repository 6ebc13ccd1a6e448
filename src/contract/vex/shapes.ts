import { Type, type Static } from 'typebox'
import { nullable } from '../schema.ts'
import type { Justification, Verdict, VexVersionStatus } from './words.ts'

export { justifications, verdicts, type Justification, type Verdict, type VexVersionStatus } from './words.ts'

/** The formats of `POST /api/v1/vex`. */
export const vexFormats = ['openvex', 'csaf', 'cyclonedx'] as const
export type VexFormat = (typeof vexFormats)[number]

/**
 * How an export names what its verdicts are about. `in_product`: the component as a part of the product. `component`: the component by
 * itself. `bom_link`: the component by its place in the SBOM. `every_id`: as `in_product`, with an entry for each id of a vulnerability.
 */
export const vexForms = ['in_product', 'component', 'bom_link', 'every_id'] as const
export type VexForm = (typeof vexForms)[number]

/** The default first. */
export const formsOfVexFormat: Record<VexFormat, readonly VexForm[]> = {
  openvex: ['in_product', 'component'],
  csaf: ['in_product'],
  cyclonedx: ['in_product', 'bom_link', 'every_id'],
}

/** The VEX document shape of the public interface, answered by upload (202 new, 200 duplicate). */
export const VexReceipt = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    format: Type.Enum(vexFormats),
    statements: Type.Integer({ minimum: 0, description: 'Statements with a verdict.' }),
    findings: Type.Integer({ minimum: 0, description: 'Scanner findings without a verdict.' }),
    unbound: Type.Integer({
      minimum: 0,
      description:
        'Statements naming nothing bindable: no purl or CPE that can be read, or an unknown reference.',
    }),
    version: nullable(Type.String(), {
      description: 'The product version it applies to; null means every version of the family.',
    }),
    replaced: Type.Integer({
      minimum: 0,
      description: 'Earlier documents of the same source and version that this one replaced.',
    }),
    url: Type.String({ description: 'Page of the document in the application.' }),
    duplicate: Type.Boolean({ description: 'True when the family already had exactly these bytes.' }),
  },
  { title: 'VexReceipt' },
)
export type VexReceipt = Static<typeof VexReceipt>

/** What is read of a document: what it states, and what a scanner reports in it without judging it. */
export const vexEntryKinds = ['statement', 'finding'] as const
export type VexEntryKind = (typeof vexEntryKinds)[number]

/**
 * `component`: a component of the product. `product`: the document's own main component, so the verdict is about the whole
 * product. `bom_link`: a reference into another SBOM, to be looked up among the family's stored ones.
 */
export const vexTargetKinds = ['component', 'product', 'bom_link'] as const
export type VexTargetKind = (typeof vexTargetKinds)[number]

/** What a statement or reported finding speaks about, as far as the document itself says. */
export type VexTarget = {
  kind: VexTargetKind
  /** As written, cut to its limit; may be unreadable (a hint says so), and is then as good as absent. At least one of purl, cpe and bomLink is there. */
  purl?: string
  cpe?: string
  /**
   * `urn:cdx:<serial>/<version>#<ref>` (CycloneDX BOM-Link): the UUID in lower case, the reference decoded. A purl or cpe
   * beside it is the reference itself, for when the family has no such SBOM.
   */
  bomLink?: { serialNumber: string; version: number; ref: string }
  /**
   * What the component is in (image, application), the innermost first: the product of an OpenVEX subcomponent, what a CSAF relationship
   * relates the component to. Of a carrier that is another product or version the statement says nothing here. Where no subcomponent
   * names anything, the carrier is the target itself.
   */
  carriers?: VexCarrier[]
  /** CycloneDX `affects[].versions`, a branch of CSAF: the verdict holds for these versions only, for none when the list is empty. */
  versions?: VexVersionRange[]
}

/** `versions`: it is one of these only. */
export type VexCarrier = { purl?: string; cpe?: string; versions?: VexVersionRange[] }

/** One version, or one vers range (`vers:npm/>=1.0.0|<2.0.0`). */
export type VexVersionRange = {
  version?: string
  range?: string
  status: VexVersionStatus
}

/** `unreadable_identifier`: there are purls or CPEs, but none can be read. */
export const unboundReasons = [
  'no_identifier',
  'unknown_reference',
  'no_product',
  'unreadable_identifier',
] as const
export type UnboundReason = (typeof unboundReasons)[number]

/** One unit of the document, as docs/public-api.md counts them (one per OpenVEX statement, CycloneDX entry, or CSAF product and verdict). */
export type VexStatement = {
  /** Where it is in the document (JSON pointer). */
  pointer: string
  /** The id named first, then aliases; upper case where the id is a CVE. Empty where the document names none. */
  vulnerabilityIds: string[]
  /** Absent: a finding that a scanner reports without judging it. */
  verdict?: Verdict
  /** The word of the document, such as `false_positive`. */
  rawStatus?: string
  justification?: Justification
  rawJustification?: string
  /** Why it does not affect (impact statement, analysis detail, CSAF threat). */
  impact?: string
  /** What to do (action statement, recommendation, remediation). */
  action?: string
  /** CycloneDX `analysis.response`. */
  responses?: string[]
  /** ISO 8601 UTC: the statement's own time, else the document's. */
  time?: string
  /** What can be bound: never empty without an `unboundReason`. */
  targets: VexTarget[]
  /** No target has a purl or CPE that can be read. It may still have BOM-Links: finding one among the stored SBOMs lifts the reason. */
  unboundReason?: UnboundReason
  /** What the document calls the first product: its name, else its id or reference; empty where there is no product. */
  productLabel: string
}

/** What a reader makes of a document. Statements and reported findings in the order of the document. */
export type VexDocument = {
  format: VexFormat
  /** Such as `OpenVEX 0.2.0`, `CSAF 2.0`, `CycloneDX 1.6`. */
  formatLabel: string
  /** The document's own id (`@id`, `tracking.id`, `serialNumber`), author and time. */
  documentId?: string
  author?: string
  time?: string
  statements: VexStatement[]
  findings: VexStatement[]
  /** How many statements have an `unboundReason`. */
  unbound: number
  /** What a stricter reader would object to; never a reason to refuse. At most 100, each once. */
  hints: string[]
}
