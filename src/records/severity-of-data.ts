import type { Severity } from '../contract/severities.ts'
import { fieldOf, textField } from '../source-files/fields.ts'
import type { RecordSeverity } from './compiled-record.ts'
import { scoreCvss } from '../formats/cvss/cvss.ts'

const words = new Map<string, Severity>([
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
  ['NONE', 'none'],
])

/**
 * The severity that CVSS data state (https://www.first.org/cvss/cvss-v3.1.json and its sisters), with the word beside them; undefined:
 * neither a vector nor a score with its word. The score follows from the vector.
 */
export function severityOfData(data: unknown, wordBeside?: unknown): RecordSeverity | undefined {
  const vector = textField(data, 'vectorString', 400)
  const cvss = vector === null ? undefined : scoreCvss(vector)
  if (cvss !== undefined) return { severity: cvss.severity, score: cvss.score, vector }
  const score = fieldOf(data, 'baseScore')
  const word = fieldOf(data, 'baseSeverity') ?? wordBeside
  const severity = typeof word === 'string' ? words.get(word) : undefined
  if (typeof score !== 'number' || !(score >= 0 && score <= 10) || severity === undefined) return undefined
  return { severity, score, vector }
}
