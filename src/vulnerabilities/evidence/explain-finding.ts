import {
  gradeReasons,
  type EvidenceIdentity,
  type FindingComponent,
  type FindingDetail,
  type FindingRecord,
  type RecordClass,
} from '../../contract/findings/shapes.ts'
import type { IdentityBasis } from '../../contract/identity.ts'
import { publicId } from '../../contract/public/public-id.ts'
import type { Db } from '../../database/connection.ts'
import { describeStream } from '../../identities/cpe-reading.ts'
import { ecosystemNamed } from '../../identities/ecosystems.ts'
import { orderingOf } from '../../versions/ordering.ts'
import { describeRecord } from './describe-record.ts'
import { packageNameOf } from './package-name.ts'
import { selectCvesOfGroup, selectVendorStatements } from '../vendor-words.ts'
import { describeVerdict } from './describe-verdict.ts'
import { toEpss } from '../../vulndata/reads/epss-of-group.ts'
import { selectFixedVersions } from '../../findings/fixed-versions.ts'
import { nameSeveritySource } from './severity-source.ts'
import {
  selectAssertions,
  selectComponents,
  selectExploitedEntries,
  selectFinding,
  selectRanges,
  selectRecords,
  type StoredFinding,
  type StoredRecord,
} from './select-evidence.ts'

/**
 * A finding with everything it rests on: the records that affect the component and the range of each that contains its
 * version, how the component was identified, why the grade is what it is, what fixes it, what the catalogues of exploited
 * vulnerabilities say, and what members and documents say of it. Codes: `not_found`.
 */
export async function explainFinding(
  db: Db,
  { workspaceId, findingId, now }: { workspaceId: string; findingId: string; now: Date },
): Promise<FindingDetail> {
  const finding = await selectFinding(db, workspaceId, findingId)
  const ofGroup = (await selectRecords(db, finding)).map((record) => inSbomOf(finding, record))
  const affecting = ofGroup.filter(isMet)
  const records = await describeRecords(db, finding, affecting)
  const unaffected = ofGroup.filter((record) => !isMet(record) && record.covers_package)
  const exploited = await selectExploitedEntries(db, finding)
  const subject = { identityId: finding.identity_id, groupId: finding.group_id }
  const components = await selectComponents(db, workspaceId, finding)
  return {
    ...headOf(finding),
    severitySource: await nameSeveritySource(db, finding.severity_source),
    class: classOf(finding, affecting),
    gradeReason: gradeReasonOf(finding, records),
    disputed: affecting.length > 0 && unaffected.length > 0,
    possiblyExploited:
      finding.exploited_by.length === 0 && exploited.some((entry) => entry.removedAt === null),
    // malware is removed, never updated
    fixedIn: finding.is_malware ? null : (await selectFixedVersions(db, [subject]))(subject),
    identity: describeIdentity(finding, components),
    components,
    records,
    unaffectedRecords: [...new Set(unaffected.map((record) => publicId(record.record_id)))],
    exploited,
    vendorStatements: await selectVendorStatements(db, {
      cves: await selectCvesOfGroup(db, finding.group_id),
      components: [
        {
          ...finding,
          identityId: finding.identity_id,
          purls: components.flatMap(({ purl, otherNames }) => [purl, ...otherNames]),
        },
      ],
    }),
    ...(await describeVerdict(db, { workspaceId, findingId, now })),
  }
}

/** By its name, or by what it is. */
function isMet({ grade, digest }: StoredRecord): boolean {
  return grade !== null || digest !== null
}

function headOf(finding: StoredFinding) {
  return {
    id: finding.id,
    familyId: finding.family_id,
    versionId: finding.version_id,
    title: finding.title,
    summary: finding.summary,
    severity: finding.severity,
    score: finding.score,
    epss: toEpss(finding.epss_score, finding.percentile),
    grade: finding.grade,
    exploitedBy: finding.exploited_by,
    firstSeenAt: finding.first_seen_at.toISOString(),
    closedAt: finding.closed_at?.toISOString() ?? null,
  }
}

async function describeRecords(
  db: Db,
  finding: StoredFinding,
  affecting: readonly StoredRecord[],
): Promise<FindingRecord[]> {
  const ranges = Map.groupBy(await selectRanges(db, affecting), (range) => range.vulnerability_id)
  const ids = affecting.map((record) => record.id)
  const assertions = Map.groupBy(await selectAssertions(db, ids), (assertion) => assertion.vulnerability_id)
  return affecting.map((record) =>
    describeRecord(finding, record, {
      ranges: ranges.get(record.id) ?? [],
      assertions: assertions.get(record.id) ?? [],
    }),
  )
}

/** A record's grade as it counts in the finding's SBOM: by a CPE that a tool guessed nothing is exact. */
function inSbomOf({ basis, cpes_guessed }: StoredFinding, record: StoredRecord): StoredRecord {
  const isByCpe = (record.key?.basis ?? basis) === 'cpe'
  if (!isByCpe || !cpes_guessed || record.grade !== 'exact') return record
  return { ...record, grade: 'possible', grade_reason: 'guessed_cpe' }
}

/** Malware if the vulnerability is, informational if all records are. */
function classOf({ is_malware }: StoredFinding, records: readonly StoredRecord[]): RecordClass {
  if (is_malware) return 'malware'
  const isInformational = records.length > 0 && records.every((record) => record.class === 'informational')
  return isInformational ? 'informational' : 'vulnerability'
}

/** Records may be exact while the finding is not: then the home database leaves the version out. */
function gradeReasonOf(finding: StoredFinding, records: readonly FindingRecord[]): string | null {
  if (finding.grade === 'exact') return null
  if (records.some((record) => record.grade === 'exact')) return gradeReasons.disputed
  return records.find((record) => record.gradeReason !== null)?.gradeReason ?? null
}

/** What of an identity's name a page says; why it is doubted, the grade says. */
const shownBasis = {
  purl: 'purl',
  foreign_purl: 'purl',
  cpe: 'cpe',
  guessed_cpe: 'cpe',
  name: 'name',
} as const satisfies Record<IdentityBasis, EvidenceIdentity['basis']>

function describeIdentity(finding: StoredFinding, components: readonly FindingComponent[]): EvidenceIdentity {
  const packageName = packageNameOf(finding.package_key)
  const isBySource = ecosystemNamed(finding.ecosystem ?? '')?.system?.namedBy === 'source'
  const isOther = components.some(({ name, version }) => name !== packageName || version !== finding.version)
  return {
    ecosystem: finding.ecosystem,
    packageName,
    release: finding.release,
    stream: describeStream(finding.stream),
    version: finding.version,
    scheme: finding.scheme,
    rule: finding.scheme === null ? null : orderingOf(finding.scheme).rule,
    basis: shownBasis[finding.basis],
    sourcePackage: isBySource && isOther,
  }
}
