import type { FindingCounts } from '../findings/counts.ts'
import type { AnyUploadSource, SbomFormat, SbomStatus, ShownCoverage } from './shapes.ts'

export type SbomRow = {
  id: string
  status: SbomStatus
  /** Active of its version, and the version is not retired. */
  active: boolean
  version: string | null
  format: SbomFormat
  specVersion: string
  components: number
  source: AnyUploadSource
  sentBy: string
  receivedAt: string
}

export type SbomDetail = SbomRow & {
  family: { id: string; name: string; archivedAt: string | null }
  versionId: string | null
  documentName: string | null
  documentCreatedAt: string | null
  tools: string[]
  operatingSystem: { name: string; version: string | null } | null
  sizeBytes: number
  sha256: string
  matchedAt: string | null
  failure: string | null
  pipeline: { commit: string | null; branch: string | null; repository: string | null; runUrl: string | null }
  /** The SBOM that took this one's place, and the one this one replaced. */
  replacedBy: SbomReference | null
  replaces: SbomReference | null
  /** What its changes are told from: the active SBOM of the version that arrived before its own, else the SBOM it replaced. */
  previous: SbomReference | null
  hints: { code: string; message: string; pointer: string | null; count: number }[]
  coverage: ShownCoverage
  leftToDistribution: LeftToDistribution
  findings: FindingCounts
  grades: { exact: number; possible: number }
}

/** Findings on components that a package of the distribution installed, where its version counts as not affected there. */
export type LeftToDistribution = {
  /** All of them; `rows` are the first hundred. */
  total: number
  rows: {
    title: string
    component: { name: string; version: string | null }
    /** The package that installed it. */
    package: { name: string; version: string | null }
  }[]
}

export type SbomReference = { id: string; version: string | null; receivedAt: string }
