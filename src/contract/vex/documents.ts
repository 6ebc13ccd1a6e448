import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { vexFormats, verdicts, justifications, unboundReasons } from './shapes.ts'
import { nullable, time, extended } from '../schema.ts'
import { anyUploadSources } from '../sbom/shapes.ts'

/**
 * `active`: its statements count. `replaced`: a later document of the same source and version took its place, or the SBOM that
 * carries it is no longer active. `withdrawn`: a member took it back.
 */
export const vexDocumentStates = ['active', 'replaced', 'withdrawn'] as const
export type VexDocumentState = (typeof vexDocumentStates)[number]

export const VexDocumentRow = Type.Object({
  id: Type.String(),
  format: Type.Enum(vexFormats),
  /** `OpenVEX 0.2.0` */
  formatLabel: Type.String(),
  /** What the document calls itself. */
  documentId: nullable(Type.String()),
  author: nullable(Type.String()),
  documentTime: nullable(time),
  state: Type.Enum(vexDocumentStates),
  /** It holds for every version; `version` is null then. */
  everyVersion: Type.Boolean(),
  version: nullable(Type.String()),
  /** The SBOM that carries it; null for a document of its own. */
  sbomId: nullable(Type.String()),
  source: Type.Enum(anyUploadSources),
  sentBy: Type.String(),
  statements: Type.Number(),
  findings: Type.Number(),
  unbound: Type.Number(),
  receivedAt: time,
})
export type VexDocumentRow = Static<typeof VexDocumentRow>

export const VexDocumentReference = Type.Object({
  id: Type.String(),
  formatLabel: Type.String(),
  receivedAt: time,
})
export type VexDocumentReference = Static<typeof VexDocumentReference>

export const VexDocumentDetail = extended(VexDocumentRow, {
  family: Type.Object({ id: Type.String(), name: Type.String(), archivedAt: nullable(time) }),
  hints: Type.Array(Type.String()),
  sizeBytes: Type.Number(),
  sha256: Type.String(),
  replacedBy: nullable(VexDocumentReference),
  /** Those it replaced, the newest first; at most 20. */
  replaces: Type.Array(VexDocumentReference),
  withdrawnAt: nullable(time),
  withdrawnBy: nullable(Type.String()),
  /** Open findings whose effective verdict is a statement of this document. */
  decides: Type.Number(),
})
export type VexDocumentDetail = Static<typeof VexDocumentDetail>

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
export const VexStatementRow = Type.Object({
  number: Type.Number(),
  /** JSON pointer into the document. */
  pointer: Type.String(),
  vulnerabilityIds: Type.Array(Type.String()),
  /** null: a finding that a scanner reports without judging it. */
  verdict: nullable(Type.Enum(verdicts)),
  rawStatus: nullable(Type.String()),
  justification: nullable(Type.Enum(justifications)),
  rawJustification: nullable(Type.String()),
  impact: nullable(Type.String()),
  action: nullable(Type.String()),
  responses: Type.Array(Type.String()),
  statedAt: nullable(time),
  productLabel: Type.String(),
  binding: Type.Enum(vexBindings),
  unboundReason: nullable(Type.Enum(unboundReasons)),
  /** It speaks of the product as a whole. */
  wholeProduct: Type.Boolean(),
  /** What the document names, as written; at most 20. */
  targets: Type.Array(
    Type.Object({
      purl: nullable(Type.String()),
      cpe: nullable(Type.String()),
      reference: nullable(Type.String()),
    }),
  ),
  /** Components of active SBOMs that are meant; at most 20. */
  components: Type.Array(
    Type.Object({
      number: Type.Number(),
      name: Type.String(),
      version: nullable(Type.String()),
      purl: nullable(Type.String()),
    }),
  ),
  /**
   * Open findings that it binds to; at most 20. `decides`: the effective verdict is this statement. `needsOthers`: there is none, because the
   * finding is one of several packages of a source, and statements must cover each of them.
   */
  boundFindings: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      component: Type.String(),
      productVersion: nullable(Type.String()),
      decides: Type.Boolean(),
      needsOthers: Type.Boolean(),
    }),
  ),
})
export type VexStatementRow = Static<typeof VexStatementRow>

export const VexStatementPage = Page(VexStatementRow)
export type VexStatementPage = Static<typeof VexStatementPage>

/** What a scanner reports in a document in force, and our own matching has not found in that version. */
export const ReportedFindingRow = Type.Object({
  documentId: Type.String(),
  number: Type.Number(),
  format: Type.Enum(vexFormats),
  /** The tool or company that wrote the document. */
  author: nullable(Type.String()),
  source: Type.Enum(anyUploadSources),
  sbomId: nullable(Type.String()),
  /** The document holds for every version; else for this one, null being the SBOMs without version. */
  everyVersion: Type.Boolean(),
  version: nullable(Type.String()),
  vulnerabilityIds: Type.Array(Type.String()),
  /** Our name for the vulnerability; null when no record knows it. */
  title: nullable(Type.String()),
  productLabel: Type.String(),
  component: nullable(
    Type.Object({ name: Type.String(), version: nullable(Type.String()), purl: nullable(Type.String()) }),
  ),
  receivedAt: time,
})
export type ReportedFindingRow = Static<typeof ReportedFindingRow>
