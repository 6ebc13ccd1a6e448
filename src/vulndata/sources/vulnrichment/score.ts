import { fieldOf, textField } from '../../documents/fields.ts'
import { severityOfData } from '../../records/severity-of-data.ts'
import type { RecordSeverity } from '../../records/compiled-record.ts'

/** What is kept of a container of a CVE record. */
export type Container = { providerMetadata: unknown; affected: unknown[]; metrics: unknown[] }

export type CveScore = RecordSeverity & {
  /** The short name of whoever scored it, such as `CISA-ADP` or `GitHub_M`; null where it says none. */
  scoredBy: string | null
}

/** The newest version first (CVE Record Format 5.1, `metrics`). */
export const cvssKeys = ['cvssV4_0', 'cvssV3_1', 'cvssV3_0', 'cvssV2_0'] as const

/** CISA scores what the CNA leaves unscored, or scores too low: its word comes first. */
export function scoreOf(adp: readonly Container[], cna: Container): CveScore | null {
  for (const { providerMetadata, metrics } of [...adp, cna]) {
    const data = cvssKeys.flatMap((key) => metrics.map((metric) => fieldOf(metric, key)))
    const severity = data.map((each) => severityOfData(each)).find((found) => found !== undefined)
    if (severity !== undefined) return { ...severity, scoredBy: textField(providerMetadata, 'shortName', 60) }
  }
  return null
}
