import type { Severity } from '../../database/tables.ts'
import { readMetrics, type Metrics } from './vector.ts'
import { scoreV2 } from './v2.ts'
import { scoreV3 } from './v3.ts'
import { scoreV4 } from './v4.ts'

export type CvssScore = {
  version: '2.0' | '3.0' | '3.1' | '4.0'
  /** Base score, 0 to 10 with one decimal. */
  score: number
  severity: Severity
}

const prefixes: [
  prefix: string,
  version: CvssScore['version'],
  score: (metrics: Metrics) => number | undefined,
][] = [
  ['CVSS:4.0/', '4.0', scoreV4],
  ['CVSS:3.1/', '3.1', scoreV3],
  ['CVSS:3.0/', '3.0', scoreV3],
  ['', '2.0', scoreV2],
]

/**
 * Base score and severity of a CVSS vector of any version by FIRST's equations; a vector without prefix is version 2.0.
 * Undefined when it is not a complete base vector.
 */
export function scoreCvss(vector: string): CvssScore | undefined {
  for (const [prefix, version, scoreOf] of prefixes) {
    if (!vector.startsWith(prefix)) continue
    const text = version === '2.0' ? withoutBrackets(vector) : vector.slice(prefix.length)
    const metrics = readMetrics(text)
    const score = metrics === undefined ? undefined : scoreOf(metrics)
    return score === undefined ? undefined : { version, score, severity: severityOfScore(score, version) }
  }
  return undefined
}

/** NVD writes version 2.0 vectors in round brackets. */
function withoutBrackets(vector: string): string {
  return vector.startsWith('(') && vector.endsWith(')') ? vector.slice(1, -1) : vector
}

/** Qualitative rating: CVSS v3.1 §5 and v4.0 §6; version 2.0 has none of its own, NVD's has no `critical`. */
export function severityOfScore(score: number, version: CvssScore['version']): Severity {
  if (version === '2.0') return score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'none'
}
