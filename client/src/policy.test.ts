import { describe, expect, it } from 'vitest'
import type { Matches } from './answers.ts'
import { judge, parsePolicy, type PolicyHit, type PolicyTerm } from './policy.ts'

type Given = Partial<Matches['bySeverity']> & { exploited?: number; notAffected?: number }

function matches({ exploited = 0, notAffected = 0, ...severities }: Given): Matches {
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...severities }
  const total = Object.values(bySeverity).reduce((sum, count) => sum + count, 0)
  const coverage = {
    covered: 9,
    notCovered: 0,
    noVersion: 0,
    uncomparable: 0,
    releaseUnknown: 0,
    dataNotLoaded: 0,
    noSource: 0,
  }
  return { total, bySeverity, byGrade: { exact: total, possible: 0 }, exploited, notAffected, coverage }
}

const cases: [PolicyTerm[], Given, PolicyHit[]][] = [
  [['exploited'], { critical: 5 }, []],
  [['exploited'], { low: 2, exploited: 1 }, [{ term: 'exploited', count: 1 }]],
  [['critical'], { high: 3 }, []],
  [['critical'], { critical: 1, high: 3 }, [{ term: 'critical', count: 1 }]],
  [['high'], { critical: 1, high: 3, medium: 9 }, [{ term: 'high', count: 4 }]],
  [['medium'], { critical: 1 }, [{ term: 'medium', count: 1 }]],
  [['low'], { critical: 1, high: 1, medium: 1, low: 1 }, [{ term: 'low', count: 4 }]],
  [['low'], { none: 4, unknown: 4 }, []],
  [['any'], { unknown: 2, none: 1 }, [{ term: 'any', count: 3 }]],
  [['any'], { notAffected: 7 }, []],
  [['exploited', 'critical'], { critical: 1 }, [{ term: 'critical', count: 1 }]],
  [
    ['exploited', 'critical'],
    { critical: 2, exploited: 1 },
    [
      { term: 'exploited', count: 1 },
      { term: 'critical', count: 2 },
    ],
  ],
]

it.each(cases)('%j on %j', (terms, given, hits) => {
  expect(judge(terms, matches(given))).toEqual(hits)
})

describe('the words', () => {
  it.each([
    ['exploited', ['exploited']],
    [' High , EXPLOITED', ['exploited', 'high']],
    ['any,any', ['any']],
  ])('%j', (text, terms) => {
    expect(parsePolicy(text)).toEqual(terms)
  })
})
