import { severityOfData } from '../severity-of-data.ts'
import { fieldOf, listField } from '../../source-files/fields.ts'
import type { NvdCve } from './read-cve.ts'
import type { RecordSeverity } from '../compiled-record.ts'

/** The newest version first. */
const metricKeys = ['cvssMetricV40', 'cvssMetricV31', 'cvssMetricV30', 'cvssMetricV2'] as const

const unknown: RecordSeverity = { severity: 'unknown', score: null, vector: null }

/**
 * The severity of an NVD entry: of its CVSS metrics of the newest version (4.0, 3.1, 3.0, 2.0) the primary one, which is NVD's own;
 * else that of whoever assigned the CVE; else another one, such as CISA's. The score follows from the vector; the stated
 * score and word count where the vector cannot be read.
 */
export function severityOfCve({ metrics, assigner }: Pick<NvdCve, 'metrics' | 'assigner'>): RecordSeverity {
  for (const key of metricKeys) {
    const ordered = [...listField(metrics, key)].sort((a, b) => rankOf(a, assigner) - rankOf(b, assigner))
    for (const metric of ordered) {
      const severity = readMetric(metric)
      if (severity !== undefined) return severity
    }
  }
  return unknown
}

function rankOf(metric: unknown, assigner: string | null): number {
  if (fieldOf(metric, 'type') === 'Primary') return 0
  return assigner !== null && fieldOf(metric, 'source') === assigner ? 1 : 2
}

/** undefined: neither a vector nor a score with its word. */
function readMetric(metric: unknown): RecordSeverity | undefined {
  // version 2.0 has its word beside the data
  return severityOfData(fieldOf(metric, 'cvssData'), fieldOf(metric, 'baseSeverity'))
}
