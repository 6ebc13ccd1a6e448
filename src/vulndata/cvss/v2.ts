import { weigh, weightsOf, type Metrics } from './vector.ts'

const impact = weightsOf({ N: 0, P: 0.275, C: 0.66 })
const tables = new Map([
  ['AV', weightsOf({ L: 0.395, A: 0.646, N: 1 })],
  ['AC', weightsOf({ H: 0.35, M: 0.61, L: 0.71 })],
  ['Au', weightsOf({ M: 0.45, S: 0.56, N: 0.704 })],
  ['C', impact],
  ['I', impact],
  ['A', impact],
])

/** The base score of a CVSS 2.0 vector (CVSS v2 Complete Guide §3.2.1); undefined when a base metric is missing. */
export function scoreV2(metrics: Metrics): number | undefined {
  const weight = weigh(metrics, tables)
  if (weight === undefined) return undefined
  const impactScore = 10.41 * (1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A')))
  const exploitability = 20 * weight('AV') * weight('AC') * weight('Au')
  if (impactScore === 0) return 0
  const score = (0.6 * impactScore + 0.4 * exploitability - 1.5) * 1.176
  return Math.round(score * 10) / 10
}
