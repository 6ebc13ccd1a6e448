import type { Severity } from '../../../contract/severities.ts'
import { scoreCvss, type CvssScore } from '../../../formats/cvss/cvss.ts'
import type { RecordSeverity } from '../../records/compiled-record.ts'
import type { OsvRecord } from './read-record.ts'

/** Words the sources use, as GHSA, Red Hat, SUSE, Ubuntu, Debian and Bitnami spell them. */
const labels = new Map<string, Severity>([
  ['critical', 'critical'],
  ['high', 'high'],
  ['important', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['low', 'low'],
  ['minor', 'low'],
  ['negligible', 'low'],
  ['unimportant', 'low'],
  ['none', 'none'],
])

/**
 * Severity of a record: from its CVSS vector of the newest version (of equal versions the higher score), else from the source's
 * own word, else `unknown`. A vector that cannot be read is kept without a score.
 */
export function severityOf(record: Pick<OsvRecord, 'vectors' | 'severityLabels'>): RecordSeverity {
  const vectors = record.vectors.filter((vector) => vector.includes(':'))
  const scored = vectors
    .map((vector) => ({ vector, cvss: scoreCvss(vector) }))
    .filter((entry): entry is { vector: string; cvss: CvssScore } => entry.cvss !== undefined)
    .sort((a, b) => b.cvss.version.localeCompare(a.cvss.version) || b.cvss.score - a.cvss.score)
  const [best] = scored
  if (best !== undefined) return { severity: best.cvss.severity, score: best.cvss.score, vector: best.vector }
  return { severity: labelledSeverity(record.severityLabels), score: null, vector: vectors[0] ?? null }
}

function labelledSeverity(words: readonly string[]): Severity {
  for (const word of words) {
    const severity = labels.get(word.toLowerCase())
    if (severity !== undefined) return severity
  }
  return 'unknown'
}
