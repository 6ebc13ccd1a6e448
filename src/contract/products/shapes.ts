import { Type, type Static } from 'typebox'
import { FindingCounts, Judged } from '../findings/counts.ts'
import { Page } from '../page.ts'
import { SbomRow } from '../sbom/rows.ts'
import { time, nullable, extended } from '../schema.ts'

export const FamilyRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: time,
  archivedAt: nullable(time),
  /** Not retired; the slot for SBOMs without version is one while such an SBOM is active. */
  activeVersions: Type.Number(),
  activeSboms: Type.Number(),
  lastUploadAt: nullable(time),
  judged: Judged,
  findings: FindingCounts,
})
export type FamilyRow = Static<typeof FamilyRow>

export const familySorts = [
  'name',
  '-name',
  'upload',
  '-upload',
  'malware',
  'exploited',
  'findings',
  'severity',
] as const

/** Names and uploads in both directions, counts the highest first. */
export type FamilySort = (typeof familySorts)[number]

/** `total` fit the search, of `all` in use or archived. */
export const FamilyPage = extended(Page(FamilyRow), { all: Type.Number() })
export type FamilyPage = Static<typeof FamilyPage>

/** What other pages choose a family by. */
export const FamilyName = Type.Pick(FamilyRow, ['id', 'name', 'lastUploadAt'])
export type FamilyName = Static<typeof FamilyName>

export const VersionRow = Type.Object({
  /** null: the slot of SBOMs that name no version */
  id: nullable(Type.String()),
  name: nullable(Type.String()),
  retiredAt: nullable(time),
  isCurrent: Type.Boolean(),
  activeSbom: nullable(SbomRow),
  /** Of its active SBOM. */
  judged: Judged,
  findings: FindingCounts,
})
export type VersionRow = Static<typeof VersionRow>

export const FamilyDetail = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: time,
  archivedAt: nullable(time),
  versions: Type.Array(VersionRow),
  judged: Judged,
  findings: FindingCounts,
})
export type FamilyDetail = Static<typeof FamilyDetail>
