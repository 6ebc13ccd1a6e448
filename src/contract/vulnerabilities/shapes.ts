import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { EvidenceReference, ExploitedEntry, catalogues, grades, recordClasses } from '../findings/shapes.ts'
import { severities } from '../severities.ts'
import { nullable, time, Named, extended } from '../schema.ts'
import { VendorStatement } from './vendor-words.ts'
import { verdicts } from '../vex/shapes.ts'
import { verdictSources } from '../findings/verdict.ts'

export const vulnerabilitySorts = ['urgency', 'severity', 'epss', 'newest', 'affected'] as const
export type VulnerabilitySort = (typeof vulnerabilitySorts)[number]

/** How probable exploitation within thirty days is, and its rank among all scored CVEs (FIRST EPSS); both 0 to 1. */
export const Epss = Type.Object({ score: Type.Number(), percentile: Type.Number() })
export type Epss = Static<typeof Epss>

/** A vulnerability that affects product versions of the workspace: the open findings of all groups that name it. */
export const VulnerabilityRow = Type.Object({
  /** Names the vulnerability in addresses: its CVE, else the title of its one group. */
  id: Type.String(),
  summary: Type.String(),
  /** The component itself is malicious. */
  malware: Type.Boolean(),
  severity: Type.Enum(severities),
  score: nullable(Type.Number()),
  epss: nullable(Epss),
  /** Catalogues that list it directly for at least one finding. */
  exploitedBy: Type.Array(Type.Enum(catalogues)),
  families: Type.Number(),
  versions: Type.Number(),
  /** Its findings: one for every component of every version. */
  findings: Type.Number(),
  /** The surest match among its findings. */
  grade: Type.Enum(grades),
  firstSeenAt: time,
})
export type VulnerabilityRow = Static<typeof VulnerabilityRow>

/** One component of one product version that the vulnerability affects. */
export const AffectedVersion = Type.Object({
  findingId: Type.String(),
  /** The vulnerability as its finding is titled: a notice of a distribution has an id of its own. */
  through: Type.String(),
  family: Named,
  version: nullable(Type.String()),
  /** The active SBOM of the version. */
  sbomId: nullable(Type.String()),
  component: Type.Object({
    name: Type.String(),
    version: nullable(Type.String()),
    purl: nullable(Type.String()),
  }),
  grade: Type.Enum(grades),
  exploitedBy: Type.Array(Type.Enum(catalogues)),
  /** An exact match that a catalogue lists directly: what may start legal clocks. */
  exploitedExactly: Type.Boolean(),
  /** The component itself is malicious. */
  malware: Type.Boolean(),
  /** The verdict in force; null: it has not been judged. */
  verdict: nullable(Type.Enum(verdicts)),
  verdictSource: nullable(Type.Enum(verdictSources)),
  /** The lowest version that the records call fixed; null when none names one, and for malware. */
  fixedIn: nullable(Type.String()),
  /** The others, the lowest first. */
  otherFixes: Type.Array(Type.String()),
  firstSeenAt: time,
})
export type AffectedVersion = Static<typeof AffectedVersion>

/** What a record says about another id: its own, the same vulnerability, one it is about, or any other. */
export const aliasRelations = ['self', 'alias', 'upstream', 'related', 'notice'] as const
export type AliasRelation = (typeof aliasRelations)[number]

/** Whether a record is the vulnerability itself, is about it alone (the CVE is its only upstream), or lists it among others. */
export const RecordRelation = Type.Enum(['is', 'is_about', 'names'])
export type RecordRelation = Static<typeof RecordRelation>

/** Versions of a package that a record calls affected. */
export const RecordRange = Type.Object({
  package: Type.String(),
  /** The first affected one; "0" is lower than every version. */
  introduced: Type.String(),
  fixed: nullable(Type.String()),
  lastAffected: nullable(Type.String()),
})
export type RecordRange = Static<typeof RecordRange>

/** What one source says about the vulnerability. */
export const VulnerabilityRecord = Type.Object({
  relation: RecordRelation,
  recordId: Type.String(),
  source: Type.String(),
  class: Type.Enum(recordClasses),
  summary: Type.String(),
  severity: Type.Enum(severities),
  score: nullable(Type.Number()),
  vector: nullable(Type.String()),
  publishedAt: nullable(time),
  /** null: the record gives no date. */
  modifiedAt: nullable(time),
  isWithdrawn: Type.Boolean(),
  withdrawnAt: nullable(time),
  aliases: Type.Array(Type.String()),
  upstream: Type.Array(Type.String()),
  references: Type.Array(EvidenceReference),
  /** At most 20, by package. */
  ranges: Type.Array(RecordRange),
  rangesTotal: Type.Number(),
})
export type VulnerabilityRecord = Static<typeof VulnerabilityRecord>

/** A vulnerability with what it affects in this workspace; `affected` is empty when that is nothing. */
export const VulnerabilityDetail = Type.Object({
  /** The id asked for. */
  id: Type.String(),
  /** Every other public id of the same vulnerability. */
  aliases: Type.Array(Type.String()),
  summary: Type.String(),
  /** The component itself is malicious. */
  malware: Type.Boolean(),
  severity: Type.Enum(severities),
  score: nullable(Type.Number()),
  /** The record the severity is taken from. */
  severitySource: nullable(Type.String()),
  epss: nullable(Epss),
  exploited: Type.Array(ExploitedEntry),
  /** At most 500, the exploited ones first; those declared not affected or fixed come last. */
  affected: Type.Array(AffectedVersion),
  affectedTotal: Type.Number(),
  /** What vendors say about their affected packages; shown, never applied. At most 20. */
  vendorStatements: Type.Array(VendorStatement),
  /** Of these, declared not affected or fixed. `families` and `versions` leave them out. */
  settledTotal: Type.Number(),
  families: Type.Number(),
  versions: Type.Number(),
  /** At most 100, the ones that are not withdrawn first, then those that are the vulnerability. */
  records: Type.Array(VulnerabilityRecord),
  recordsTotal: Type.Number(),
})
export type VulnerabilityDetail = Static<typeof VulnerabilityDetail>

/** A vulnerability known to be exploited in one version of a component, over all products that have it. */
export const ExploitedRow = Type.Object({
  /** The CVE that the catalogue lists, where the vulnerability has no better title. */
  id: Type.String(),
  summary: Type.String(),
  severity: Type.Enum(severities),
  score: nullable(Type.Number()),
  epss: nullable(Epss),
  exploitedBy: Type.Array(Type.Enum(catalogues)),
  /** Only where it is malware. */
  malware: Type.Optional(Type.Literal(true)),
  /** The day by which CISA requires it to be fixed. */
  dueOn: nullable(Type.String()),
  component: Type.Object({
    name: Type.String(),
    version: nullable(Type.String()),
    purl: nullable(Type.String()),
  }),
  grade: Type.Enum(grades),
  /** The lowest version that the records call fixed; null when none names one, and for malware. */
  fixedIn: nullable(Type.String()),
  /** The others, the lowest first. */
  otherFixes: Type.Array(Type.String()),
  families: Type.Number(),
  versions: Type.Number(),
  /** At most three of its versions. */
  products: Type.Array(
    Type.Object({
      findingId: Type.String(),
      familyId: Type.String(),
      family: Type.String(),
      version: nullable(Type.String()),
    }),
  ),
  firstSeenAt: time,
})
export type ExploitedRow = Static<typeof ExploitedRow>

/** Open findings that are known to be exploited: at most 20 rows of `total`, and what they are in distinct vulnerabilities and findings. */
export const ExploitedList = Type.Object({
  rows: Type.Array(ExploitedRow),
  total: Type.Number(),
  vulnerabilities: Type.Number(),
  findings: Type.Number(),
})
export type ExploitedList = Static<typeof ExploitedList>

/**
 * `total` counts distinct vulnerabilities. `hidden`: those that all other filters would show, but none of whose findings has the
 * verdict asked for; `findings`: the findings of the total; `exploited`: of the total, known to be exploited.
 */
export const VulnerabilityPage = extended(Page(VulnerabilityRow), {
  hidden: Type.Number(),
  findings: Type.Number(),
  exploited: Type.Number(),
})
export type VulnerabilityPage = Static<typeof VulnerabilityPage>
