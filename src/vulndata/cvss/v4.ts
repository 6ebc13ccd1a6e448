import { weigh, weightsOf, type Metrics, type Weigh } from './vector.ts'

const vulnerable = weightsOf({ H: 0, L: 1, N: 2 })
const subsequent = weightsOf({ H: 1, L: 2, N: 3 })
/** Steps of each base metric below its most severe value. */
const tables = new Map([
  ['AV', weightsOf({ N: 0, A: 1, L: 2, P: 3 })],
  ['PR', weightsOf({ N: 0, L: 1, H: 2 })],
  ['UI', weightsOf({ N: 0, P: 1, A: 2 })],
  ['AC', weightsOf({ L: 0, H: 1 })],
  ['AT', weightsOf({ N: 0, P: 1 })],
  ['VC', vulnerable],
  ['VI', vulnerable],
  ['VA', vulnerable],
  ['SC', subsequent],
  ['SI', subsequent],
  ['SA', subsequent],
])

/**
 * Scores of the macro vectors that base scores need, by EQ1, EQ2, EQ3 with EQ6 (00, 01, 10, 11, 21) and EQ4 (1, 2); EQ5 is
 * always 0 (CVSS v4.0 Specification §8.2).
 */
const macroScores = [
  [
    ['10 9.3', '9.6 9', '9.3 8.8', '9.2 8', '7.9 6.9'],
    ['9.5 9.2', '9.1 8.1', '9.2 8.4', '8.2 7', '7.1 6.3'],
  ],
  [
    ['9.4 8.7', '8.9 7.5', '8.6 7.2', '7.6 5.7', '6.5 5.3'],
    ['9 7.7', '7.7 6.6', '7.4 6.1', '5.9 5.2', '5.8 2.3'],
  ],
  [
    ['8.6 7', '7.4 5.4', '7.2 5.3', '5.7 3.6', '4.7 2.4'],
    ['7.3 5.4', '5.5 4.3', '6.1 4.6', '5.1 1.8', '2.4 1'],
  ],
].map((byEq2) => byEq2.map((byImpact) => byImpact.map((pair) => pair.split(' ').map(Number))))

/** One equivalence set: its level, the steps below the level's most severe vector, the depth of the level (§8.2, table 29). */
type Place = { level: number; steps: number; depth: number }

/**
 * The base score of a CVSS 4.0 vector (CVSS-B, Specification §8): the score of the macro vector less the mean of the proportional
 * distances to the next lower ones. Threat and environmental metrics take no part. Undefined when a base metric is missing.
 */
export function scoreV4(metrics: Metrics): number | undefined {
  const steps = weigh(metrics, tables)
  if (steps === undefined) return undefined
  if (hasNoImpact(steps)) return 0
  const eq1 = exploitability(steps)
  const eq2 = complexity(steps)
  const eq3 = impact(steps)
  const eq4 = consequence(steps)
  const score = (level1: number, level2: number, level3: number, level4: number) =>
    macroScores[level1]?.[level2]?.[level3]?.[level4]
  const value = score(eq1.level, eq2.level, eq3.level, eq4.level) ?? 0
  const lower: [Place, number | undefined][] = [
    [eq1, score(eq1.level + 1, eq2.level, eq3.level, eq4.level)],
    [eq2, score(eq1.level, eq2.level + 1, eq3.level, eq4.level)],
    [eq3, lowerImpact(eq3.level, (level) => score(eq1.level, eq2.level, level, eq4.level))],
    [eq4, score(eq1.level, eq2.level, eq3.level, eq4.level + 1)],
  ]
  return rounded(value - meanDistance(value, lower))
}

/** EQ5 always has a lower level and never a distance: it counts in the mean and adds nothing. */
function meanDistance(value: number, lower: [Place, number | undefined][]): number {
  let sum = 0
  let count = 1
  for (const [place, lowerScore] of lower) {
    if (lowerScore === undefined) continue
    sum += (value - lowerScore) * (place.steps / place.depth)
    count += 1
  }
  return sum / count
}

function hasNoImpact(stepsOf: Weigh): boolean {
  return sumOf(stepsOf, ['VC', 'VI', 'VA']) === 6 && sumOf(stepsOf, ['SC', 'SI', 'SA']) === 9
}

function sumOf(stepsOf: Weigh, names: string[]): number {
  return names.reduce((sum, name) => sum + stepsOf(name), 0)
}

function exploitability(stepsOf: Weigh): Place {
  const steps = sumOf(stepsOf, ['AV', 'PR', 'UI'])
  if (steps === 0) return { level: 0, steps: 0, depth: 1 }
  const hasBest = ['AV', 'PR', 'UI'].some((name) => stepsOf(name) === 0)
  if (hasBest && stepsOf('AV') !== 3) return { level: 1, steps: steps - 1, depth: 4 }
  return { level: 2, steps: steps - 3, depth: 5 }
}

function complexity(stepsOf: Weigh): Place {
  const steps = sumOf(stepsOf, ['AC', 'AT'])
  return steps === 0 ? { level: 0, steps: 0, depth: 1 } : { level: 1, steps: steps - 1, depth: 2 }
}

/** EQ3 and EQ6 together, as places in `macroScores`: without requirements EQ6 follows from EQ3. */
function impact(stepsOf: Weigh): Place {
  const steps = sumOf(stepsOf, ['VC', 'VI', 'VA'])
  if (sumOf(stepsOf, ['VC', 'VI']) === 0) return { level: 0, steps, depth: 7 }
  if (['VC', 'VI', 'VA'].some((name) => stepsOf(name) === 0)) return { level: 2, steps: steps - 1, depth: 8 }
  return { level: 4, steps: steps - 3, depth: 10 }
}

/** 00 is followed by 01 and by 10, of which the higher score counts; 10 by 11; 21 by nothing. */
function lowerImpact(level: number, scoreOf: (level: number) => number | undefined): number | undefined {
  if (level === 0) return Math.max(scoreOf(1) ?? 0, scoreOf(2) ?? 0)
  return level === 2 ? scoreOf(3) : undefined
}

function consequence(stepsOf: Weigh): Place {
  const steps = sumOf(stepsOf, ['SC', 'SI', 'SA'])
  const isHigh = ['SC', 'SI', 'SA'].some((name) => stepsOf(name) === 1)
  return isHigh ? { level: 0, steps: steps - 3, depth: 5 } : { level: 1, steps: steps - 6, depth: 4 }
}

/** Half up at one decimal; the small lift undoes floating-point noise just below a tie. */
function rounded(value: number): number {
  return Math.round((Math.min(Math.max(value, 0), 10) + 1e-6) * 10) / 10
}
