import type { Page } from '../page.ts'
import type { Catalogue, EvidenceReference, ExploitedEntry, Grade, RecordClass } from '../findings/shapes.ts'
import type { Severity } from '../sbom/shapes.ts'
import type { VerdictSource } from '../findings/verdict.ts'
import type { Verdict } from '../vex/shapes.ts'

export const vulnerabilitySorts = ['urgency', 'severity', 'epss', 'newest', 'affected'] as const
export type VulnerabilitySort = (typeof vulnerabilitySorts)[number]

/** How probable exploitation within thirty days is, and its rank among all scored CVEs (FIRST EPSS); both 0 to 1. */
export type Epss = { score: number; percentile: number }

/** A vulnerability that affects product versions of the workspace: the open findings of all groups that name it. */
export type VulnerabilityRow = {
  /** Names the vulnerability in addresses: its CVE, else the title of its one group. */
  id: string
  summary: string
  severity: Severity
  score: number | null
  epss: Epss | null
  /** Catalogues that list it directly for at least one finding. */
  exploitedBy: Catalogue[]
  families: number
  versions: number
  /** Its findings: one for every component of every version. */
  findings: number
  /** The surest of its findings. */
  grade: Grade
  firstSeenAt: string
}

/** One component of one product version that the vulnerability affects. */
export type AffectedVersion = {
  findingId: string
  /** The vulnerability as its finding is titled: a notice of a distribution has an id of its own. */
  through: string
  family: { id: string; name: string }
  version: string | null
  /** The active SBOM of the version. */
  sbomId: string | null
  component: { name: string; version: string | null; purl: string | null }
  grade: Grade
  exploitedBy: Catalogue[]
  /** An exact match that a catalogue lists directly: what may start legal clocks. */
  exploitedExactly: boolean
  /** The effective one; null: it has not been judged. */
  verdict: Verdict | null
  verdictSource: VerdictSource | null
  /** The lowest version that the records call fixed; null when none names one. */
  fixedIn: string | null
  /** The others, the lowest first. */
  otherFixes: string[]
  firstSeenAt: string
}

/** What a record says about another id: its own, the same vulnerability, one it is about, or any other. */
export const aliasRelations = ['self', 'alias', 'upstream', 'related'] as const
export type AliasRelation = (typeof aliasRelations)[number]

/** Whether a record is the vulnerability, is about it alone (the CVE is its single upstream), or lists it among others. */
export type RecordRelation = 'is' | 'is_about' | 'names'

/** Versions of a package that a record calls affected. */
export type RecordRange = {
  package: string
  /** The first affected one; "0" is lower than every version. */
  introduced: string
  fixed: string | null
  lastAffected: string | null
}

/** What one source says about the vulnerability. */
export type VulnerabilityRecord = {
  relation: RecordRelation
  recordId: string
  source: string
  class: RecordClass
  summary: string
  severity: Severity
  score: number | null
  vector: string | null
  publishedAt: string | null
  /** null: the record gives no date. */
  modifiedAt: string | null
  isWithdrawn: boolean
  withdrawnAt: string | null
  aliases: string[]
  upstream: string[]
  references: EvidenceReference[]
  /** At most 20, by package. */
  ranges: RecordRange[]
  rangesTotal: number
}

/** A vulnerability with what it affects in this workspace; `affected` is empty when that is nothing. */
export type VulnerabilityDetail = {
  /** The id asked for. */
  id: string
  /** Every other id of the same vulnerability that is known outside. */
  aliases: string[]
  summary: string
  severity: Severity
  score: number | null
  /** The record the severity is taken from. */
  severitySource: string | null
  epss: Epss | null
  exploited: ExploitedEntry[]
  /** At most 500, the exploited ones first; those declared not affected or fixed are here and last. */
  affected: AffectedVersion[]
  affectedTotal: number
  /** Of these, declared not affected or fixed. `families` and `versions` leave them out. */
  settledTotal: number
  families: number
  versions: number
  /** At most 100, the ones that are not withdrawn first, then those that are the vulnerability. */
  records: VulnerabilityRecord[]
  recordsTotal: number
}

/** A vulnerability known to be exploited in one version of a component, over all products that have it. */
export type ExploitedRow = {
  /** The CVE that the catalogue lists, where the vulnerability has no better title. */
  id: string
  summary: string
  severity: Severity
  score: number | null
  epss: Epss | null
  exploitedBy: Catalogue[]
  /** The day by which CISA requires it to be fixed. */
  dueOn: string | null
  component: { name: string; version: string | null; purl: string | null }
  grade: Grade
  /** The lowest version that the records call fixed; null when none names one. */
  fixedIn: string | null
  /** The others, the lowest first. */
  otherFixes: string[]
  families: number
  versions: number
  /** At most three of its versions. */
  products: { findingId: string; familyId: string; family: string; version: string | null }[]
  firstSeenAt: string
}

/** Open findings that are known to be exploited: at most 20 rows of `total`, and what they are in distinct vulnerabilities and findings. */
export type ExploitedList = { rows: ExploitedRow[]; total: number; vulnerabilities: number; findings: number }

/**
 * `total` counts distinct vulnerabilities. `hidden`: those that all other filters would show, but none of whose findings has the
 * verdict asked for; `findings`: the findings of the total.
 */
export type VulnerabilityPage = Page<VulnerabilityRow> & { hidden: number; findings: number }
