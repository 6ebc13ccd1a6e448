import { Type, type Static } from 'typebox'
import { FindingCounts } from '../findings/counts.ts'
import { ShownCoverage, sbomStatuses, sbomFormats, anyUploadSources } from './shapes.ts'
import { nullable, time, extended } from '../schema.ts'

export const SbomRow = Type.Object({
  id: Type.String(),
  status: Type.Enum(sbomStatuses),
  /** The active SBOM of its version, which is not retired. */
  active: Type.Boolean(),
  version: nullable(Type.String()),
  format: Type.Enum(sbomFormats),
  specVersion: Type.String(),
  components: Type.Number(),
  source: Type.Enum(anyUploadSources),
  sentBy: Type.String(),
  receivedAt: time,
})
export type SbomRow = Static<typeof SbomRow>

export const SbomReference = Type.Object({
  id: Type.String(),
  version: nullable(Type.String()),
  receivedAt: time,
})
export type SbomReference = Static<typeof SbomReference>

/** Findings on components that a package of the distribution installed, where its version counts as not affected there. */
export const LeftToDistribution = Type.Object({
  /** All of them; `rows` are the first hundred. */
  total: Type.Number(),
  rows: Type.Array(
    Type.Object({
      title: Type.String(),
      component: Type.Object({ name: Type.String(), version: nullable(Type.String()) }),
      /** The package that installed it. */
      package: Type.Object({ name: Type.String(), version: nullable(Type.String()) }),
    }),
  ),
})
export type LeftToDistribution = Static<typeof LeftToDistribution>

export const SbomDetail = extended(SbomRow, {
  family: Type.Object({ id: Type.String(), name: Type.String(), archivedAt: nullable(time) }),
  versionId: nullable(Type.String()),
  documentName: nullable(Type.String()),
  documentCreatedAt: nullable(time),
  tools: Type.Array(Type.String()),
  operatingSystem: nullable(Type.Object({ name: Type.String(), version: nullable(Type.String()) })),
  sizeBytes: Type.Number(),
  sha256: Type.String(),
  matchedAt: nullable(time),
  failure: nullable(Type.String()),
  pipeline: Type.Object({
    commit: nullable(Type.String()),
    branch: nullable(Type.String()),
    repository: nullable(Type.String()),
    runUrl: nullable(Type.String()),
  }),
  /** The SBOM that took this one's place, and the one this one replaced. */
  replacedBy: nullable(SbomReference),
  replaces: nullable(SbomReference),
  /** The SBOM that its changes are compared with: the active one of the version that arrived before its own, else the one it replaced. */
  previous: nullable(SbomReference),
  hints: Type.Array(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      pointer: nullable(Type.String()),
      count: Type.Number(),
    }),
  ),
  coverage: ShownCoverage,
  leftToDistribution: LeftToDistribution,
  findings: FindingCounts,
  grades: Type.Object({ exact: Type.Number(), possible: Type.Number() }),
})
export type SbomDetail = Static<typeof SbomDetail>
