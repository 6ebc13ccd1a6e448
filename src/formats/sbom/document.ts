/** What the service reads from an SBOM, whatever its format. Strings are clean: no NUL, no lone surrogates. */
export type SbomDocument = {
  format: SbomFormat
  /** `1.6`, `2.3` */
  specVersion: string
  /** The name of the product described, where the document gives one. */
  name: string | null
  /** The version of the product described: the CycloneDX metadata component, or the one described SPDX package. */
  productVersion: string | null
  /** CycloneDX `serialNumber` with `version`, SPDX `documentNamespace`: what other documents link to. */
  documentId: string | null
  createdAt: string | null
  /** Names of the tools that wrote the document. */
  tools: string[]
  /** The product itself; it is not one of `components`. */
  main: SbomComponent | null
  components: SbomComponent[]
  /** The distribution that operating-system packages of this document belong to. */
  operatingSystem: OperatingSystem | null
  /** Directed "depends on" or "contains" edges between component references, at most 200 000. */
  dependencies: DependencyEdge[]
  hints: QualityHint[]
  /** Vulnerability entries carried inside the document (CycloneDX `vulnerabilities`). */
  vulnerabilityCount: number
}

export const sbomFormats = ['cyclonedx', 'spdx'] as const
export type SbomFormat = (typeof sbomFormats)[number]

export type SbomComponent = {
  /** `bom-ref` or `SPDXID`; null where CycloneDX gives none. */
  ref: string | null
  /** CycloneDX `type` or SPDX `primaryPackagePurpose`, lower case; null when absent. */
  type: string | null
  group: string | null
  name: string
  version: string | null
  purl: string | null
  cpe: string | null
  licence: string | null
  supplier: string | null
  /** `sha256:…`, lower-case algorithm without dashes; at most 8. */
  hashes: string[]
  /** The source package that generators record beside an operating-system package (Trivy, syft properties). */
  source: { name: string; version: string | null; epoch: string | null } | null
}

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
