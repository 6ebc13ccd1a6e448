import { Type, type Static } from 'typebox'
import { componentScopes, severities } from '../sbom/shapes.ts'
import { BoundStatement, Decision, EffectiveVerdict, IncidentOpening } from './verdict.ts'
import { time, nullable } from '../schema.ts'
import { VendorStatement } from '../vulnerabilities/vendor-words.ts'

/** How sure a match is. Only `exact` can start a legal clock. */
export const grades = ['exact', 'possible'] as const
export type Grade = (typeof grades)[number]

/** Why a match is not exact, with the sentence shown to people. */
export const gradeReasons = {
  informational: 'The record is informational (unmaintained, unsound, notice) and names no vulnerability.',
  name_only: 'The component is identified by its name only.',
  guessed_cpe:
    'The CPE was guessed by a tool, contradicts another one, or does not name the version, so the product may be another one.',
  no_version: 'The component names no version, so only the package is known to be affected.',
  release_unknown:
    'The release of the distribution is unknown; the record lists this version among the affected ones.',
  unordered_version:
    'The version does not follow the rules of its kind; the record lists exactly this text among the affected ones.',
  any_version: 'The record names the product without saying which versions are affected.',
  edition: 'The record is about one edition, language or hardware of the product.',
  target: 'The record is about the product in one environment, which the component does not name.',
  module_unlabelled:
    'The SBOM does not say which stream of the module the build belongs to; its version allows the one of the record.',
  unordered_bound:
    'A bound of the range cannot be ordered by the rules of the ecosystem, so it is not known whether this version lies inside.',
  custom_range:
    'The affected versions could not be written in the order of the ecosystem, so the range has no end; the project names its fix in versions of its own.',
  beyond_last_known:
    'Newer than the last version that the record knows to be affected; its range has no end.',
  order_unstated:
    'The record does not say by which rules its versions are ordered; they were compared by those of the ecosystem.',
  product_words:
    'The record names no package and no CPE: only its words for vendor and product are those of the component’s CPE.',
  between_tags:
    'The record lists tags of the repository before and after this version, and not the version itself.',
  snapshot: 'The version is a snapshot from behind a tag: which of the later changes are in it is not known.',
  product_of_repository:
    'The record names this repository as the source of its product; the versions are those of the product, which need not be tags of the repository.',
  kernel_part:
    'The record is about a part of a kernel, which may not be built in, or may have been patched by whoever built it.',
  repository_unstated:
    'The record is about the package of one repository of the distribution; the component does not say which one it comes from.',
  several_fixes:
    'The record names several fixes of the package, one for each architecture or build, and this version lies between them.',
  private_registry:
    'The record is about a package of a registry that is not the public one; the package of this name in another one may be somebody else’s.',
  version_range: 'The component states a range of versions, and some in it may be affected.',
  architecture: 'The record is about builds for one architecture, which the component does not name.',
  pro_build:
    'The record is about the ordinary builds of Ubuntu, and says nothing of those of Ubuntu Pro, which may have the fix under another version.',
  backport:
    'Built for this release from the source of a later one, about which the open range of this release says nothing.',
  placeholder_version: 'v0.0.0 is what Go tools write where they know no version; it was compared as 0.0.0.',
  module_unknown: 'The record does not say which stream of the module it fixes.',
  other_registry:
    'The record is about a malicious package of the public registry; the component comes from elsewhere, where the name may be somebody else’s.',
  disputed:
    'The vulnerability database of the ecosystem covers the package and does not count this version as affected.',
} as const satisfies Record<string, string>
export type GradeReason = keyof typeof gradeReasons

export const recordClasses = ['vulnerability', 'malware', 'informational'] as const
export type RecordClass = (typeof recordClasses)[number]

/** Catalogues of known exploited vulnerabilities: the CISA KEV file and the EU list. */
export const catalogues = ['kev', 'euvd'] as const
export type Catalogue = (typeof catalogues)[number]

/** `listed`: exactly one version. */
export const rangeKinds = ['range', 'listed'] as const
export type RangeKind = (typeof rangeKinds)[number]

const severity = Type.Enum(severities)
const grade = Type.Enum(grades)
const recordClass = Type.Enum(recordClasses)
const catalogue = Type.Enum(catalogues)

/** One affected range, or one listed version, of a record for the package in question. */
export const EvidenceRange = Type.Object({
  kind: Type.Enum(rangeKinds),
  introduced: Type.String({ description: '"0" is lower than every version.' }),
  fixed: nullable(Type.String()),
  lastAffected: nullable(Type.String()),
  containsVersion: Type.Boolean({ description: 'The range that decided the match.' }),
})
export type EvidenceRange = Static<typeof EvidenceRange>

export const EvidenceReference = Type.Object({ type: Type.String(), url: Type.String() })
export type EvidenceReference = Static<typeof EvidenceReference>

/** A record that contributes to a finding, and what in it decided. */
export const FindingRecord = Type.Object({
  recordId: Type.String(),
  source: Type.String({ description: 'The data source the record came from, such as `osv:Go`.' }),
  class: recordClass,
  summary: Type.String(),
  severity,
  score: nullable(Type.Number()),
  vector: nullable(Type.String()),
  publishedAt: nullable(time),
  modifiedAt: nullable(time, {
    description: 'null where the record gives no date.',
  }),
  grade,
  gradeReason: nullable(Type.String()),
  ranges: Type.Array(EvidenceRange, { description: 'For this package and release, at most 50.' }),
  rangesTotal: Type.Integer({ minimum: 0 }),
  fixedIn: nullable(Type.String()),
  aliases: Type.Array(Type.String()),
  upstream: Type.Array(Type.String()),
  references: Type.Array(EvidenceReference, { description: 'At most 100, web addresses only.' }),
  sentence: Type.String(),
})
export type FindingRecord = Static<typeof FindingRecord>

/** A catalogue entry that names the vulnerability. */
export const ExploitedEntry = Type.Object({
  catalogue,
  id: Type.String({ description: 'The CVE id of the entry, otherwise its EUVD id.' }),
  name: Type.String(),
  listedOn: nullable(Type.String()),
  dueOn: nullable(Type.String(), {
    description: 'The day by which CISA requires it to be fixed.',
  }),
  requiredAction: nullable(Type.String()),
  ransomware: nullable(Type.Enum(['known', 'unknown']), {
    description:
      'Whether campaigns with ransomware are known to use it; null where the catalogue does not say.',
  }),
  firstSeenAt: time,
  removedAt: nullable(time),
  direct: Type.Boolean({
    description:
      'Reached from a contributing record itself; false: through further aliases or a record on several vulnerabilities.',
  }),
})
export type ExploitedEntry = Static<typeof ExploitedEntry>

/** A component of the product that the finding is about. */
export const FindingComponent = Type.Object({
  number: Type.Integer(),
  group: nullable(Type.String()),
  name: Type.String(),
  version: nullable(Type.String()),
  purl: nullable(Type.String()),
  cpe: nullable(Type.String()),
  otherNames: Type.Array(Type.String(), {
    description: 'Its further package URLs and CPEs, as the SBOM states them.',
  }),
  scope: nullable(Type.Enum(componentScopes), {
    description: 'Why the SBOM lists it; null where it does not say.',
  }),
  resolves: Type.Array(Type.String(), {
    description: 'Ids of this vulnerability that a patch to the component fixes, as the SBOM says.',
  }),
  path: nullable(Type.Array(Type.Object({ name: Type.String(), version: nullable(Type.String()) })), {
    description:
      'The components through which it comes into the product, the product’s own dependency first; empty for a direct dependency, null where the SBOM does not say.',
  }),
})
export type FindingComponent = Static<typeof FindingComponent>

/** How the component was identified for the vulnerability data. */
export const EvidenceIdentity = Type.Object({
  ecosystem: nullable(Type.String()),
  packageName: nullable(Type.String()),
  release: nullable(Type.String()),
  stream: Type.String(),
  version: Type.String({ description: 'The version that was compared.' }),
  scheme: nullable(Type.String()),
  rule: nullable(Type.String(), {
    description: 'Where the ordering of versions is defined.',
  }),
  basis: Type.Enum(['purl', 'cpe', 'name']),
  sourcePackage: Type.Boolean({
    description: 'The data is by source package: the name or version compared is not the component’s own.',
  }),
})
export type EvidenceIdentity = Static<typeof EvidenceIdentity>

/** `GET /api/app/workspaces/{slug}/findings/{id}`: a finding with all of its evidence. */
export const FindingDetail = Type.Object({
  id: Type.String({ format: 'uuid' }),
  familyId: Type.String({ format: 'uuid' }),
  versionId: nullable(Type.String({ format: 'uuid' })),
  title: Type.String(),
  summary: Type.String(),
  severity,
  score: nullable(Type.Number()),
  severitySource: nullable(Type.String()),
  epss: nullable(Type.Object({ score: Type.Number(), percentile: Type.Number() }), {
    description: 'The highest among the CVEs of the vulnerability.',
  }),
  class: recordClass,
  grade,
  gradeReason: nullable(Type.String()),
  disputed: Type.Boolean({ description: 'Records of this vulnerability disagree about this version.' }),
  exploitedBy: Type.Array(catalogue),
  possiblyExploited: Type.Boolean({
    description: 'Listed, but only via another record or alias.',
  }),
  firstSeenAt: time,
  closedAt: nullable(time),
  fixedIn: nullable(Type.String()),
  identity: EvidenceIdentity,
  components: Type.Array(FindingComponent, { description: 'At most 100.' }),
  records: Type.Array(FindingRecord, { description: 'The ones that decided the match first.' }),
  unaffectedRecords: Type.Array(Type.String(), {
    description: 'Records of the same vulnerability that include the package but not this version.',
  }),
  exploited: Type.Array(ExploitedEntry),
  vendorStatements: Type.Array(VendorStatement, {
    description: 'What the vendor of the package says of its CVEs; shown, never applied. At most 20.',
  }),
  verdict: nullable(EffectiveVerdict),
  decisions: Type.Array(Decision, { description: 'Decisions of members, newest first; at most 100.' }),
  statements: Type.Array(BoundStatement, {
    description: 'Statements of documents in force, the strongest first; at most 100.',
  }),
  incident: IncidentOpening,
})
export type FindingDetail = Static<typeof FindingDetail>
