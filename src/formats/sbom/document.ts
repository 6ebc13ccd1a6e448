import type { ComponentScope, SbomFormat } from '../../contract/sbom/shapes.ts'

/** What the service reads from an SBOM, whatever its format. Strings are clean: no NUL, no lone surrogates, cut. */
export type SbomDocument = {
  format: SbomFormat
  /** `1.6`, `2.3` */
  specVersion: string
  /** The name of the product described, where the document gives one; else that of an SPDX document. */
  name: string | null
  /** The version of the product described: the CycloneDX metadata component, or the one described SPDX package. */
  productVersion: string | null
  /**
   * What other documents link to: the BOM-Link `urn:cdx:<serial number>/<version>` of CycloneDX, lower case, or the SPDX
   * `documentNamespace`.
   */
  documentId: string | null
  /** ISO 8601, UTC, with milliseconds; a time without an offset is taken as UTC. */
  createdAt: string | null
  /** The tools that wrote the document, with their versions where it says so; at most 20. */
  tools: string[]
  /** The product itself. A CycloneDX product is not one of `components`; an SPDX one is, because every package counts. */
  main: SbomComponent | null
  components: SbomComponent[]
  /** The distribution that operating-system packages of this document belong to; null when there are several. */
  operatingSystem: OperatingSystem | null
  /** Directed "depends on" or "contains" edges between component references, each once, at most 200 000. */
  dependencies: DependencyEdge[]
  /** Which package installed the files that another one was found by: `from` owns `to`. Only Syft says so, in SPDX; at most 200 000. */
  ownerships: DependencyEdge[]
  hints: QualityHint[]
  /** Vulnerability entries carried inside the document (CycloneDX `vulnerabilities`). */
  vulnerabilityCount: number
}

export type SbomComponent = {
  /** `bom-ref` or `SPDXID`; null where CycloneDX gives none. */
  ref: string | null
  /** CycloneDX `type` or SPDX `primaryPackagePurpose`, lower case with dashes; null when absent. */
  type: string | null
  group: string | null
  /** Empty where the document leaves it empty; an SPDX package without name has its `SPDXID` here. */
  name: string
  /** Or the range of versions that is stated instead (`vers:npm/>=2.0.0|<3.0.0`). */
  version: string | null
  /** Expected of the environment, and not part of the product (CycloneDX 1.7); absent: part of it. */
  isExternal?: true
  /** Its scope; absent: the document does not say. */
  scope?: ComponentScope
  /** Ids of vulnerabilities that the document says a patch fixes; at most 100; absent: none. */
  resolves?: string[]
  /** As written, readable or not. */
  purl: string | null
  /** Further ones that name the same package, as written; at most 20. */
  otherPurls: string[]
  /** As written, readable or not; the first of several. */
  cpe: string | null
  /** Further ones of the document's author that name the same component, as written, at most 20; absent: none. */
  otherCpes?: string[]
  /** Those that a tool concluded or offers to choose from, as written, at most 20; absent: none. */
  concludedCpes?: string[]
  licence: string | null
  supplier: string | null
  /** `sha256:…`, lower-case algorithm without dashes; at most 8. */
  hashes: string[]
  /** Digests of the files that it was had as, which the document states beside its hashes or behind the first eight, spelled as they are; at most 200; absent: none. */
  fileDigests?: string[]
  /** Who made or published it and where it was had from, beside its supplier: texts of the document, one a line; absent: it says nothing of it. */
  origin?: string
  /** The source package that generators record beside an operating-system package. */
  source: SourcePackage | null
  /** Address of the repository with its source, as written; absent where the document names none. */
  repository?: string
}

/** `version` never carries the epoch; both are null where the generator records only the name. */
export type SourcePackage = { name: string; version: string | null; epoch: string | null }

export type OperatingSystem = { name: string; version: string | null }
export type DependencyEdge = { from: string; to: string }

/** A defect that does not stop the service from reading the document. */
export type QualityHint = {
  code: string
  /** English sentence. */
  message: string
  /** JSON pointer of the first place, and how many places have the defect. */
  pointer: string | null
  count: number
}
