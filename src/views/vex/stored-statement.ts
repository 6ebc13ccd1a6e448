import { sql } from 'kysely'
import type {
  Justification,
  UnboundReason,
  Verdict,
  VexEntryKind,
  VexTargetKind,
  VexVersionRange,
} from '../../contract/vex/shapes.ts'
import { isVersion } from '../../findings/version-slot.ts'
import type { StatedCarrier } from '../../vex/binding/bind-carrier.ts'

/** A document, and the versions of its family that it holds for. */
export type DocumentScope = {
  workspaceId: string
  documentId: string
  familyId: string
  versionId: string | null
  everyVersion: boolean
}

export function isInScope(
  column: string,
  { versionId, everyVersion }: Pick<DocumentScope, 'versionId' | 'everyVersion'>,
) {
  return everyVersion ? sql<boolean>`true` : isVersion(column, versionId)
}

export type StoredStatement = {
  number: number
  kind: VexEntryKind
  pointer: string
  vulnerability_ids: string[]
  verdict: Verdict | null
  raw_status: string | null
  justification: Justification | null
  raw_justification: string | null
  impact: string | null
  action: string | null
  responses: string[]
  stated_at: Date | null
  product_label: string
  unbound_reason: UnboundReason | null
}

export type StoredTarget = {
  number: number
  kind: VexTargetKind
  purl: string | null
  cpe: string | null
  reference: string | null
  versions: VexVersionRange[] | null
  /** What it is in. */
  carriers: StatedCarrier[] | null
  /** What a BOM-Link was found to mean. */
  link: { purl: string | null; cpe: string | null; isProduct: boolean } | null
}
