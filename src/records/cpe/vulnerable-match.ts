import type { RangeDoubt } from '../compiled-record.ts'

/** One vulnerable product, named by CPE, of a record about a CVE. */
export type VulnerableMatch = {
  /** The CPE name that the product's must equal; ranges are in the bounds. */
  criteria: string
  startIncluding: string | null
  startExcluding: string | null
  endIncluding: string | null
  endExcluding: string | null
  /** The status changes inside the bounds at a version that cannot be ordered. */
  hasUnorderedChange?: boolean
  /** The end is no version of the product in which anything was fixed. */
  hasNoFix?: true
  /** Why all of it is in doubt, whatever its bounds are. */
  doubt?: RangeDoubt
  /** CPE names that must also be there (an AND of several), at most `maxRecorded`. */
  runningOn: readonly string[]
}

/** The ecosystem of every product named by CPE. */
export const cpeEcosystem = 'cpe'

export const maxCpeLength = 2_048
export const maxVersionLength = 512
export const maxRecorded = 20

/**
 * CPE names reduced to their products, without the version: where versions are stated beside the names, those count. Some records have a name
 * for each of thousands of versions.
 */
export function productNames(cpes: readonly string[]): string[] {
  return [...new Set(cpes.map((cpe) => cpe.replace(versionInName, '$1:*')))]
}

/** A CPE name without a version, as one for any version. */
export function ofAnyVersion(cpe: string): string {
  return versionInName.exec(cpe)?.[2] === '-' ? cpe.replace(versionInName, '$1:*') : cpe
}

const versionInName = /^(cpe:2\.3(?::(?:[^\\:]|\\.)*){3}):((?:[^\\:]|\\.)*)(?=:|$)/i
