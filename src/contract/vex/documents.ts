import type { Page } from '../page.ts'
import type { AnyUploadSource } from '../sbom/shapes.ts'
import type { Justification, UnboundReason, Verdict, VexFormat } from './shapes.ts'

/**
 * `active`: its statements count. `replaced`: a later document of the same source and version took its place, or the SBOM that
 * carries it is no longer active. `withdrawn`: a member took it back.
 */
export const vexDocumentStates = ['active', 'replaced', 'withdrawn'] as const
export type VexDocumentState = (typeof vexDocumentStates)[number]

export type VexDocumentRow = {
  id: string
  format: VexFormat
  /** `OpenVEX 0.2.0` */
  formatLabel: string
  /** What the document calls itself. */
  documentId: string | null
  author: string | null
  documentTime: string | null
  state: VexDocumentState
  /** It holds for every version; `version` is null then. */
  everyVersion: boolean
  version: string | null
  /** The SBOM that carries it; null for a document of its own. */
  sbomId: string | null
  source: AnyUploadSource
  sentBy: string
  statements: number
  findings: number
  unbound: number
  receivedAt: string
}

export type VexDocumentReference = { id: string; formatLabel: string; receivedAt: string }

export type VexDocumentDetail = VexDocumentRow & {
  family: { id: string; name: string; archivedAt: string | null }
  hints: string[]
  sizeBytes: number
  sha256: string
  replacedBy: VexDocumentReference | null
  /** Those it replaced, the newest first; at most 20. */
  replaces: VexDocumentReference[]
  withdrawnAt: string | null
  withdrawnBy: string | null
  /** Open findings whose effective verdict is a statement of this document. */
  decides: number
}

/** Which entries of a document a list shows. */
export const vexEntryFilters = ['statements', 'unbound', 'findings'] as const
export type VexEntryFilter = (typeof vexEntryFilters)[number]

/**
 * `bound`: a component of an active SBOM that the document holds for is meant, or the whole product. `waiting`: it names
 * components, but no active SBOM has one of them. `another_product`: what it names is in another product or version than those that
 * the document holds for. `unbound`: it names nothing that could be found.
 */
export const vexBindings = ['bound', 'waiting', 'another_product', 'unbound'] as const
export type VexBinding = (typeof vexBindings)[number]

/** A statement or reported finding of a document. */
export type VexStatementRow = {
  number: number
  /** JSON pointer into the document. */
  pointer: string
  vulnerabilityIds: string[]
  /** null: a finding that a scanner reports without judging it. */
  verdict: Verdict | null
  rawStatus: string | null
  justification: Justification | null
  rawJustification: string | null
  impact: string | null
  action: string | null
  responses: string[]
  statedAt: string | null
  productLabel: string
  binding: VexBinding
  unboundReason: UnboundReason | null
  /** It speaks of the product as a whole. */
  wholeProduct: boolean
  /** What the document names, as written; at most 20. */
  targets: { purl: string | null; cpe: string | null; reference: string | null }[]
  /** Components of active SBOMs that are meant; at most 20. */
  components: { number: number; name: string; version: string | null; purl: string | null }[]
  /** Open findings that it binds to; at most 20. `decides`: the effective verdict is this statement. */
  boundFindings: {
    id: string
    title: string
    component: string
    productVersion: string | null
    decides: boolean
  }[]
}

export type VexStatementPage = Page<VexStatementRow>

/** What a scanner reports in a document in force, and our own matching has not found in that version. */
export type ReportedFindingRow = {
  documentId: string
  number: number
  format: VexFormat
  /** The tool or company that wrote the document. */
  author: string | null
  source: AnyUploadSource
  sbomId: string | null
  /** The document holds for every version; else for this one, null being the SBOMs without version. */
  everyVersion: boolean
  version: string | null
  vulnerabilityIds: string[]
  /** Our name for the vulnerability; null when no record knows it. */
  title: string | null
  productLabel: string
  component: { name: string; version: string | null; purl: string | null } | null
  receivedAt: string
}
