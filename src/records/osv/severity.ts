import type { Severity } from '../../contract/severities.ts'
import { scoreCvss, type CvssScore } from '../../formats/cvss/cvss.ts'
import { ecosystemNamed } from '../../identities/ecosystems.ts'
import type { RecordSeverity } from '../compiled-record.ts'
import type { OsvAffected, OsvRecord } from './read-record.ts'

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
 * own word, else `unknown`. A distribution's own word on its packages goes before the vector, which is that of the vulnerability
 * as such and is kept beside it. A vector that cannot be read is kept without a score.
 */
export function severityOf(
  record: Pick<OsvRecord, 'vectors' | 'severityLabels' | 'affected'>,
): RecordSeverity {
  const labelled = labelledSeverity(record.severityLabels)
  const vectors = record.vectors.filter((vector) => vector.includes(':'))
  const scored = vectors
    .map((vector) => ({ vector, cvss: scoreCvss(vector) }))
    .filter((entry): entry is { vector: string; cvss: CvssScore } => entry.cvss !== undefined)
    .sort((a, b) => b.cvss.version.localeCompare(a.cvss.version) || b.cvss.score - a.cvss.score)
  const [best] = scored
  if (best === undefined) return { severity: labelled, score: null, vector: vectors[0] ?? null }
  const isPriority = labelled !== 'unknown' && isOnSystems(record)
  const { severity, score } = best.cvss
  return { severity: isPriority ? labelled : severity, score, vector: best.vector }
}

/** On packages of distributions alone. */
function isOnSystems({ affected }: Pick<OsvRecord, 'affected'>): boolean {
  const isOnSystem = ({ ecosystem }: OsvAffected) => {
    const [name = ''] = ecosystem.split(':', 1)
    return (ecosystemNamed(name)?.system ?? null) !== null
  }
  return affected.length > 0 && affected.every(isOnSystem)
}

function labelledSeverity(words: readonly string[]): Severity {
  for (const word of words) {
    const severity = labels.get(word.toLowerCase())
    if (severity !== undefined) return severity
  }
  return 'unknown'
}
