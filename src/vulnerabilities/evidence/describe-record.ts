import type { EvidenceRange, FindingRecord } from '../../contract/findings/shapes.ts'
import { publicId } from '../../contract/public/public-id.ts'
import { customFixOf } from '../../vulndata/sources/osv/custom-fix.ts'
import { describeDoubt } from './describe-doubt.ts'
import type { IdentityBasis } from '../../contract/identity.ts'
import { recordFacts } from './record-facts.ts'
import type { StoredAssertion, StoredFinding, StoredRange, StoredRecord } from './select-evidence.ts'

type RecordParts = { ranges: readonly StoredRange[]; assertions: readonly StoredAssertion[] }

/** What one record contributes to a finding, and the sentence that says why. */
export function describeRecord(
  finding: StoredFinding,
  record: StoredRecord,
  { ranges, assertions }: RecordParts,
): FindingRecord {
  const deciding = ranges.find((range) => range.id === record.range_id)
  const grade = record.grade ?? 'possible'
  const isDecidedByRange = finding.decidability === 'covered' || finding.decidability === 'uncomparable'
  const isCertain = isDecidedByRange && record.grade_reason !== 'unordered_bound'
  return {
    ...recordFacts(record),
    grade,
    gradeReason: describeDoubt(finding, record, ranges),
    ranges: ranges.map((range) => toRange(range, isCertain && range === deciding)),
    rangesTotal: ranges[0]?.total ?? 0,
    fixedIn: isDecidedByRange && deciding !== undefined ? fixIn(finding, record, deciding) : null,
    aliases: idsOf(assertions, 'alias'),
    upstream: idsOf(assertions, 'upstream'),
    sentence: sentenceOf(finding, record, deciding),
  }
}

/** The end of the range; of one that its source left open, the fix in versions of the project's own. */
function fixIn(
  { package_key }: StoredFinding,
  { record_id: recordId, document, grade_reason }: StoredRecord,
  deciding: StoredRange,
): string | null {
  const fix = fixedOf(deciding)
  if (fix !== null || grade_reason !== 'custom_range' || package_key === null) return fix
  return customFixOf({ recordId, document }, package_key)
}

/** The name half of a package key (ecosystem, U+001F, name). */
export function packageNameOf(packageKey: string | null): string | null {
  return packageKey === null ? null : packageKey.slice(packageKey.indexOf('\u001f') + 1)
}

function toRange(range: StoredRange, containsVersion: boolean): EvidenceRange {
  return {
    kind: range.kind,
    introduced: range.introduced,
    fixed: fixedOf(range),
    lastAffected: range.kind === 'range' && range.upper_included ? range.upper_text : null,
    containsVersion,
  }
}

function fixedOf({ kind, upper_text, upper_included }: StoredRange): string | null {
  return kind === 'range' && !upper_included ? upper_text : null
}

function idsOf(assertions: readonly StoredAssertion[], relation: StoredAssertion['relation']): string[] {
  return assertions
    .filter((assertion) => assertion.relation === relation)
    .map((assertion) => publicId(assertion.other_id))
}

/** "log4j-core 2.14.1 is inside 2.0-beta9 … < 2.15.0 of GHSA-jfh8-c2jp-5v3q, matched by purl, exact." */
function sentenceOf(finding: StoredFinding, record: StoredRecord, deciding: StoredRange | undefined): string {
  const name = packageNameOf(finding.package_key) ?? 'The component'
  const subject = finding.version === '' ? name : `${name} ${finding.version}`
  return `${subject} ${relationOf(finding, record, deciding)}, matched by ${basisWords[finding.basis]}, ${record.grade ?? 'possible'}.`
}

const basisWords = {
  purl: 'purl',
  foreign_purl: 'purl',
  cpe: 'CPE',
  guessed_cpe: 'CPE',
  name: 'name',
} as const satisfies Record<IdentityBasis, string>

function relationOf(
  { decidability }: StoredFinding,
  { record_id, grade_reason }: StoredRecord,
  deciding: StoredRange | undefined,
): string {
  const id = publicId(record_id)
  if (decidability === 'no_version') return `names no version, and ${id} is about the package`
  if (decidability === 'release_unknown') return `is among the versions that ${id} lists for some release`
  if (deciding === undefined) return `is affected according to ${id}`
  return deciding.kind === 'listed'
    ? `is listed as affected by ${id}`
    : `${grade_reason === 'unordered_bound' ? 'may be' : 'is'} inside ${boundsOf(deciding)} of ${id}`
}

function boundsOf({ introduced, upper_text, upper_included }: StoredRange): string {
  if (upper_text === null) return `${introduced} … with no known end`
  return `${introduced} … ${upper_included ? '≤' : '<'} ${upper_text}`
}
