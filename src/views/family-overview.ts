import type { FamilyDetail, FamilyPage, VersionRow } from '../contract/products/shapes.ts'
import type { FindingCounts } from '../contract/findings/counts.ts'
import type { SbomRow } from '../contract/sbom/rows.ts'
import { bySeverity } from '../contract/severities.ts'
import type { Db } from '../database/connection.ts'
import { selectFamilyPage, type FamilyQuery } from '../findings/reads/list-families.ts'
import { selectJudgedSlots, sumJudged } from '../inventory/coverage/judged-slots.ts'
import { countFindingsOfVersions, type VersionCounts } from '../findings/reads/count-findings.ts'
import { listActiveSboms } from '../sbom/list-sboms.ts'
import { selectFamily, selectVersions } from '../products/families/select-families.ts'

/** A page of the families of a workspace with what is known about each. Codes: `invalid_request` (cursor). */
export async function listFamilies(db: Db, query: FamilyQuery): Promise<FamilyPage> {
  const { rows, ...page } = await selectFamilyPage(db, query)
  const scope = { workspaceId: query.workspaceId, familyIds: rows.map(({ id }) => id) }
  const { versions, vulnerabilitiesOf } = await countFindingsOfVersions(db, scope)
  const findings = Map.groupBy(versions, ({ familyId }) => familyId)
  const judged = Map.groupBy(await selectJudgedSlots(db, scope), ({ familyId }) => familyId)
  return {
    ...page,
    rows: rows.map((family) => ({
      id: family.id,
      name: family.name,
      createdAt: family.createdAt.toISOString(),
      archivedAt: family.archivedAt?.toISOString() ?? null,
      activeVersions: family.activeVersions,
      activeSboms: family.activeSboms,
      lastUploadAt: family.lastUploadAt?.toISOString() ?? null,
      judged: sumJudged(judged.get(family.id) ?? []),
      findings: sumCounts(findings.get(family.id) ?? [], vulnerabilitiesOf(family.id)),
    })),
  }
}

/** One family with its versions, newest first, the slot without version last. Codes: `not_found`. */
export async function describeFamily(db: Db, workspaceId: string, familyId: string): Promise<FamilyDetail> {
  const family = await selectFamily(db, workspaceId, familyId)
  const versions = await selectVersions(db, workspaceId, familyId)
  const active = await listActiveSboms(db, { workspaceId, familyId })
  const counts = await countFindingsOfVersions(db, { workspaceId, familyIds: [familyId] })
  const judged = await selectJudgedSlots(db, { workspaceId, familyIds: [familyId] })
  const currentVersionId = family.currentVersionId ?? newestUpload(active)
  const describe = (id: string | null, name: string | null, retiredAt: Date | null): VersionRow => ({
    id,
    name,
    retiredAt: retiredAt?.toISOString() ?? null,
    isCurrent: id !== null && id === currentVersionId,
    activeSbom: active.find(({ versionId }) => versionId === id)?.sbom ?? null,
    judged: sumJudged(judged.filter(({ versionId }) => versionId === id)),
    findings: counts.versions.find(({ versionId }) => versionId === id)?.findings ?? sumCounts([], 0),
  })
  const rows = versions.map(({ id, name, retiredAt }) => describe(id, name, retiredAt))
  const withoutVersion = active.some(({ versionId }) => versionId === null)
    ? [describe(null, null, null)]
    : []
  return {
    id: family.id,
    name: family.name,
    createdAt: family.createdAt.toISOString(),
    archivedAt: family.archivedAt?.toISOString() ?? null,
    versions: [...rows, ...withoutVersion],
    judged: sumJudged(judged),
    findings: sumCounts(counts.versions, counts.vulnerabilitiesOf(familyId)),
  }
}

/** A family's current version is the one marked so, else the one whose SBOM arrived last. `active` is newest first. */
function newestUpload(active: { versionId: string | null; sbom: SbomRow }[]): string | null {
  return active.find(({ versionId, sbom }) => versionId !== null && sbom.active)?.versionId ?? null
}

/** Vulnerabilities are not summed: one may be in several versions. */
function sumCounts(counts: readonly VersionCounts[], vulnerabilities: number): FindingCounts {
  const total = (pick: (findings: FindingCounts) => number) =>
    counts.reduce((sum, { findings }) => sum + pick(findings), 0)
  return {
    total: total((f) => f.total),
    vulnerabilities,
    malware: total((f) => f.malware),
    exploited: total((f) => f.exploited),
    bySeverity: bySeverity((severity) => total((f) => f.bySeverity[severity])),
    notAffected: total((f) => f.notAffected),
    fixed: total((f) => f.fixed),
  }
}
