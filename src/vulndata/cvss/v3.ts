import { weigh, weightsOf, type Metrics } from './vector.ts'

const impact = weightsOf({ H: 0.56, L: 0.22, N: 0 })
const tables = new Map([
  ['AV', weightsOf({ N: 0.85, A: 0.62, L: 0.55, P: 0.2 })],
  ['AC', weightsOf({ L: 0.77, H: 0.44 })],
  ['UI', weightsOf({ N: 0.85, R: 0.62 })],
  ['C', impact],
  ['I', impact],
  ['A', impact],
  ['S', weightsOf({ U: 0, C: 1 })],
])
const unchangedTables = new Map([...tables, ['PR', weightsOf({ N: 0.85, L: 0.62, H: 0.27 })]])
const changedTables = new Map([...tables, ['PR', weightsOf({ N: 0.85, L: 0.68, H: 0.5 })]])

/**
 * The base score of a CVSS 3.0 or 3.1 vector (CVSS v3.1 Specification §7.1; the base equations of both are the same);
 * undefined when a base metric is missing.
 */
export function scoreV3(metrics: Metrics): number | undefined {
  const isChanged = metrics.get('S') === 'C'
  const weight = weigh(metrics, isChanged ? changedTables : unchangedTables)
  if (weight === undefined) return undefined
  const base = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'))
  const impactScore = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  if (impactScore <= 0) return 0
  const exploitability = 8.22 * weight('AV') * weight('AC') * weight('PR') * weight('UI')
  return roundUp(Math.min((isChanged ? 1.08 : 1) * (impactScore + exploitability), 10))
}

/** The smallest number with one decimal that is not below the input, free of floating-point noise (v3.1, appendix A). */
function roundUp(value: number): number {
  const scaled = Math.round(value * 100_000)
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10
}
