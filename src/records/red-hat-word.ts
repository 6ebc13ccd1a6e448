import type { VendorStatus } from '../contract/vulnerabilities/vendor-statuses.ts'

/** What Red Hat says about a CVE for some packages of a release of its system. */
export type RedHatStatement = {
  /** `Red Hat Enterprise Linux 9`. */
  label: string
  release: string
  /** `9.0` for a release with separate fixes (extended support); null: the ordinary line. */
  minor: string | null
  /** `nodejs:18`; null: no module, or it does not say which. */
  module: string | null
  status: VendorStatus
  /** Of what is not affected, a label of CSAF: `vulnerable_code_not_present`. */
  justification: string | null
  /** Of what is affected: `Will not fix`, `Fix deferred`, `Affected`. */
  remedy: string | null
  fixedIn: string | null
  /** `RHSA-2023:6667`. */
  advisory: string | null
  /** `Moderate`. */
  impact: string | null
  packages: string[]
}

/** The part of a file that is stored. */
export type StoredRedHatVex = {
  cve: string
  stated: string
  statements: RedHatStatement[]
}

/** The id of the stored record about a CVE. */
export function redHatRecordId(cve: string): string {
  return `RHVEX:${cve}`
}
