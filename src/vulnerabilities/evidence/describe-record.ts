import type { EvidenceRange, FindingRecord } from '../../contract/findings/shapes.ts'
import { publicId } from '../../contract/public/public-id.ts'
import { customFixOf } from '../../records/osv/custom-fix.ts'
import { describeDigest } from './describe-digest.ts'
import { describeDoubt } from './describe-doubt.ts'
import { describeStream } from '../../identities/cpe-reading.ts'
import type { IdentityBasis, KeyOrigin } from '../../contract/identity.ts'
import { packageNameOf } from './package-name.ts'
import { recordFacts } from './record-facts.ts'
import type {
  MatchedKey,
  StoredAssertion,
  StoredFinding,
  StoredRange,
  StoredRecord,
} from './select-evidence.ts'

type RecordParts = { ranges: readonly StoredRange[]; assertions: readonly StoredAssertion[] }

/** What one record contributes to a finding, and the sentence that says why. */
export function describeRecord(
  finding: StoredFinding,
  record: StoredRecord,
  { ranges, assertions }: RecordParts,
): FindingRecord {
  const deciding = ranges.find((range) => range.id === record.range_id)
  const key = record.key ?? { ...finding, origin: null }
  const isDecidedByRange = key.decidability === 'covered' || key.decidability === 'uncomparable'
  const isCertain = isDecidedByRange && record.grade_reason !== 'unordered_bound'
  return {
    ...recordFacts(record),
    ...(record.digest === null
      ? { grade: record.grade ?? 'possible', gradeReason: describeDoubt(finding, record, ranges) }
      : { grade: 'exact', gradeReason: null }),
    ranges: ranges.map((range) => toRange(range, isCertain && range === deciding)),
    rangesTotal: ranges[0]?.total ?? 0,
    fixedIn: isDecidedByRange && deciding !== undefined ? fixIn(key, record, deciding) : null,
    aliases: idsOf(assertions, 'alias'),
    upstream: idsOf(assertions, 'upstream'),
    sentence: describeMatch(key, record, deciding),
  }
}

/** The end of the range; of one that its source left open, the fix in versions of the project's own. */
function fixIn(
  { package_key }: DecidingKey,
  { record_id: recordId, document, grade_reason }: StoredRecord,
  deciding: StoredRange,
): string | null {
  const fix = fixedOf(deciding)
  if (fix !== null || grade_reason !== 'custom_range' || package_key === null) return fix
  return customFixOf({ recordId, document }, package_key)
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

type DecidingKey = Omit<MatchedKey, 'package_key'> & { package_key: string | null }

/** By name, by what the component is, or both. */
function describeMatch(key: DecidingKey, record: StoredRecord, deciding: StoredRange | undefined): string {
  const byName = record.grade === null ? null : sentenceOf(key, record, deciding)
  const byDigest = record.digest === null ? null : describeDigest(record, record.digest)
  return [byName, byDigest].filter((sentence) => sentence !== null).join(' ')
}

/** "log4j-core 2.14.1 is inside 2.0-beta9 … < 2.15.0 of GHSA-jfh8-c2jp-5v3q, matched by purl, exact." */
function sentenceOf(key: DecidingKey, record: StoredRecord, deciding: StoredRange | undefined): string {
  const name = packageNameOf(key.package_key) ?? 'The component'
  const line = key.origin === 'purl' && key.stream !== '' ? ` of ${describeStream(key.stream)}` : ''
  const subject = key.version === '' ? name : `${name} ${key.version}${line}`
  const basis = basisOf(key, record)
  return `${subject} ${relationOf(key, record, deciding)}, matched by ${basis}, ${record.grade ?? 'possible'}.`
}

function basisOf({ origin, basis }: DecidingKey, { grade_reason }: StoredRecord): string {
  if (grade_reason === 'product_words') return 'words for vendor and product'
  if (origin === 'origin' && basis === 'name') return 'the package that its name says it was built from'
  return origin === null ? basisWords[basis] : originWords[origin]
}

const originWords = {
  origin: 'the package that it was built from',
  source: 'the source package that the records of its distribution name',
  purl: 'another purl of the component',
  repository: 'the repository that the purl names',
  part: 'CPE',
  cpe: 'another CPE of the component',
  name: 'the words that the record has for the product',
} as const satisfies Record<KeyOrigin, string>

const basisWords = {
  purl: 'purl',
  foreign_purl: 'purl',
  cpe: 'CPE',
  guessed_cpe: 'CPE',
  name: 'name',
} as const satisfies Record<IdentityBasis, string>

function relationOf(
  { decidability }: DecidingKey,
  { record_id, grade_reason }: StoredRecord,
  deciding: StoredRange | undefined,
): string {
  const id = publicId(record_id)
  if (decidability === 'no_version') return `names no version, and ${id} is about the package`
  if (decidability === 'release_unknown') return `is among the versions that ${id} lists for some release`
  if (deciding === undefined) return `is affected according to ${id}`
  return deciding.kind === 'listed'
    ? `is listed as affected by ${id}`
    : `${grade_reason === 'unordered_bound' || grade_reason === 'version_range' ? 'may be' : 'is'} inside ${boundsOf(deciding)} of ${id}`
}

function boundsOf({ introduced, upper_text, upper_included }: StoredRange): string {
  if (upper_text === null) return `${introduced} … with no known end`
  return `${introduced} … ${upper_included ? '≤' : '<'} ${upper_text}`
}
