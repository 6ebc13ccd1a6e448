import type { RangeDoubt } from '../records/compiled-record.ts'

/** One vulnerable product, named by CPE, of a record about a CVE. */
export type VulnerableMatch = {
  /** The CPE name that the product's must equal; ranges are in the bounds. */
  criteria: string
  startIncluding: string | null
  startExcluding: string | null
  endIncluding: string | null
  endExcluding: string | null
  /** Something inside the bounds changes at a version that cannot be ordered. */
  hasUnorderedChange?: boolean
  /** Why all of it is in doubt, whatever its bounds are. */
  doubt?: RangeDoubt
  /** CPE names that must be there besides (an AND of several), at most `maxRecorded`. */
  runningOn: readonly string[]
}

/** The ecosystem of every product named by CPE. */
export const cpeEcosystem = 'cpe'

export const maxCpeLength = 2_048
export const maxVersionLength = 512
export const maxRecorded = 20

/** A CPE name with the version `-` as one of any version: whoever gives versions beside it means the product. */
export function ofAnyVersion(criteria: string): string {
  return criteria.replace(/^(cpe:2\.3(?::(?:[^\\:]|\\.)*){3}):-(?=:|$)/i, '$1:*')
}
