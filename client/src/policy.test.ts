import { describe, expect, it } from 'vitest'
import type { Finding, Matches } from './answers.ts'
import { isHit, judge, parsePolicy, type PolicyHit, type PolicyTerm } from './policy.ts'

type Given = Partial<Matches['bySeverity']> & { exploited?: number; malware?: number; notAffected?: number }

function matches({ exploited = 0, malware = 0, notAffected = 0, ...severities }: Given): Matches {
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, ...severities }
  const total = Object.values(bySeverity).reduce((sum, count) => sum + count, 0)
  const coverage = { covered: 9, notCovered: 0, noVersion: 0 }
  return {
    total,
    bySeverity,
    byGrade: { exact: total, possible: 0 },
    exploited,
    malware,
    notAffected,
    coverage,
  }
}

const finding: Finding = {
  id: 'x',
  severity: 'none',
  malware: false,
  exploited: false,
  component: { name: 'a', version: null, purl: null },
  fixedIn: null,
  url: '',
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

it.each(cases)('%j on %j', (failOn, given, hits) => {
  expect(judge({ failOn, allowsMalware: false }, { matches: matches(given), worst: null })).toEqual(hits)
})

describe('malware', () => {
  const given = { unknown: 2, low: 1, malware: 2 }

  it.each<[PolicyTerm[], PolicyHit[]]>([
    [['critical'], [{ term: 'malware', count: 2 }]],
    [['malware'], [{ term: 'malware', count: 2 }]],
    [
      ['any'],
      [
        { term: 'malware', count: 2 },
        { term: 'any', count: 3 },
      ],
    ],
    [[], []],
  ])('stops %j', (failOn, hits) => {
    expect(judge({ failOn, allowsMalware: false }, { matches: matches(given), worst: null })).toEqual(hits)
  })

  it.each<[PolicyTerm[], PolicyHit[]]>([
    [['malware'], []],
    [['any'], [{ term: 'any', count: 1 }]],
    [['low'], [{ term: 'low', count: 1 }]],
  ])('that is allowed does not stop %j', (failOn, hits) => {
    expect(judge({ failOn, allowsMalware: true }, { matches: matches(given), worst: null })).toEqual(hits)
  })

  it.each<[PolicyTerm[], PolicyHit[]]>([
    [['critical'], []],
    [['exploited'], []],
    [['high'], [{ term: 'high', count: 1 }]],
    [['any'], [{ term: 'any', count: 1 }]],
  ])('that is allowed does not stop %j either where it has a severity or is exploited', (failOn, hits) => {
    const counted = matches({ critical: 2, high: 1, exploited: 1, malware: 2 })
    const worst = [
      { ...finding, severity: 'critical', malware: true, exploited: true },
      { ...finding, severity: 'critical', malware: true },
      { ...finding, severity: 'high' },
    ] as const
    expect(judge({ failOn, allowsMalware: true }, { matches: counted, worst: [...worst] })).toEqual(hits)
  })
})

it.each<[PolicyTerm, Partial<Finding>, boolean]>([
  ['high', { severity: 'critical' }, true],
  ['high', { severity: 'medium' }, false],
  ['low', { severity: 'unknown' }, false],
  ['any', { severity: 'unknown' }, true],
  ['exploited', { exploited: true }, true],
  ['exploited', {}, false],
  ['critical', { malware: true }, true],
])('%s stops on %j: %s', (term, fields, isStopped) => {
  expect(isHit({ failOn: [term], allowsMalware: false }, { ...finding, ...fields })).toBe(isStopped)
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
