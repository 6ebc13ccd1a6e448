import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { DoraFacts } from '../../contract/incidents/dora-facts.ts'
import type { Severity } from '../../contract/severities.ts'
import type { ProductsInReport } from './kept/products-in-report.ts'

/** What is known of an incident when a draft is started. */
export type DraftFacts = {
  reference: string
  title: string
  /** What happened, as a member wrote it. */
  description: string | null
  manufacturer: string
  /** Who answers an authority's questions. */
  contact: string | null
  /** Families with their affected versions. */
  products: readonly { name: string; versions: readonly string[] }[]
  /** Affected components; `fixedIn` is their own fixed version. Malware has none. */
  components: readonly { name: string; version: string | null; fixedIn: string | null; isMalware?: boolean }[]
  cveIds: readonly string[]
  euvdIds: readonly string[]
  vulnerability: KnownVulnerability | null
  /** The catalogues that list it as exploited; `listedOn` is a calendar date. */
  exploited: readonly { catalogue: Catalogue; id: string; listedOn: string | null }[]
  /** Corrective or mitigating measures that were taken. */
  measures: string | null
  /** What users can do, as a member wrote it. */
  userMeasures: string | null
  /** Versions of the products in which it is fixed. */
  fixedProducts: readonly { name: string; version: string }[]
  /** Codes of the Member States that a member named for this incident. */
  memberStates: readonly string[]
  /** What is kept with the families about their products. */
  kept: ProductsInReport
  /** What the company says of itself under DORA. */
  company: DoraFacts
  awareAt: Date
  classifiedAt: Date | null
  occurredAt: Date | null
  measureAvailableAt: Date | null
}

type KnownVulnerability = {
  summary: string
  severity: Severity
  score: number | null
  /** CVSS vector. */
  vector: string | null
}
