import type { FindingCounts, Judged } from '../findings/counts.ts'
import type { Page } from '../page.ts'
import type { SbomRow } from '../sbom/rows.ts'

export type FamilyRow = {
  id: string
  name: string
  createdAt: string
  archivedAt: string | null
  activeVersions: number
  activeSboms: number
  lastUploadAt: string | null
  judged: Judged
  findings: FindingCounts
}

export const familySorts = [
  'name',
  '-name',
  'upload',
  '-upload',
  'exploited',
  'findings',
  'severity',
] as const

/** Names and uploads in both directions, counts the highest first. */
export type FamilySort = (typeof familySorts)[number]

/** `total` fit the search, of `all` in use or archived. */
export type FamilyPage = Page<FamilyRow> & { all: number }

/** What other pages choose a family by. */
export type FamilyName = Pick<FamilyRow, 'id' | 'name' | 'lastUploadAt'>

export type VersionRow = {
  /** null: the slot of SBOMs that name no version */
  id: string | null
  name: string | null
  retiredAt: string | null
  isCurrent: boolean
  activeSbom: SbomRow | null
  /** Of its active SBOM. */
  judged: Judged
  findings: FindingCounts
}

export type FamilyDetail = {
  id: string
  name: string
  createdAt: string
  archivedAt: string | null
  versions: VersionRow[]
  judged: Judged
  findings: FindingCounts
}
