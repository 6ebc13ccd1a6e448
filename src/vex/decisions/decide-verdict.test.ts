import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../contract/vex/shapes.ts'
import {
  claimOfComponents,
  compareClaims,
  compareDecisions,
  type Claim,
  type StandingDecision,
} from './decide-verdict.ts'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))

/** On a component, for every version, stated and received on the fifth. */
function claim(more: Partial<Claim> = {}): Claim {
  return {
    documentId: 'a',
    number: 1,
    verdict: 'under_investigation',
    justification: null,
    isForVersion: false,
    isWholeProduct: false,
    statedAt: at(5),
    receivedAt: at(5),
    ...more,
  }
}

describe('of two statements that bind, the one that decides', () => {
  const weaker = {
    isWholeProduct: true,
    statedAt: at(1),
    receivedAt: at(1),
    verdict: 'not_affected',
  } as const
  const cases: [string, Claim, Claim][] = [
    [
      'is the one for the version, whatever else speaks for the other',
      claim({ isForVersion: true, ...weaker }),
      claim({ verdict: 'affected', statedAt: at(9), receivedAt: at(9) }),
    ],
    [
      'then the one on the component',
      claim({ ...weaker, isWholeProduct: false }),
      claim({ isWholeProduct: true, verdict: 'affected', statedAt: at(9), receivedAt: at(9) }),
    ],
    [
      'then the one that was stated later',
      claim({ statedAt: at(6), receivedAt: at(6), verdict: 'not_affected' }),
      claim({ statedAt: at(5), receivedAt: at(9), verdict: 'affected' }),
    ],
    [
      'any time being later than none',
      claim({ statedAt: at(1), receivedAt: at(1), verdict: 'not_affected' }),
      claim({ statedAt: null, receivedAt: at(9), verdict: 'affected' }),
    ],
    [
      'then the one that arrived later',
      claim({ receivedAt: at(6), verdict: 'not_affected' }),
      claim({ receivedAt: at(5), verdict: 'affected' }),
    ],
    [
      'then the more cautious: affected',
      claim({ verdict: 'affected' }),
      claim({ verdict: 'under_investigation' }),
    ],
    ['under investigation before fixed', claim(), claim({ verdict: 'fixed' })],
    ['fixed before not affected', claim({ verdict: 'fixed' }), claim({ verdict: 'not_affected' })],
    ['of equal ones the first in the document', claim({ number: 1 }), claim({ number: 2 })],
  ]
  it.each(cases)('%s', (_rule, first, second) => {
    expect(compareClaims(first, second)).toBeLessThan(0)
    expect(compareClaims(second, first)).toBeGreaterThan(0)
    expect([second, first].sort(compareClaims)).toEqual([first, second])
  })
})

describe('of two decisions, the one that counts', () => {
  const decision = (more: Partial<StandingDecision>): StandingDecision => ({
    id: 'a',
    verdict: 'affected',
    justification: null,
    isForVersion: false,
    decidedAt: at(5),
    ...more,
  })
  it.each([
    ['is for the version', decision({ isForVersion: true }), decision({ decidedAt: at(9) })],
    ['then the later one', decision({ decidedAt: at(6) }), decision({})],
    ['of one instant the one made last', decision({ id: 'b' }), decision({ id: 'a' })],
  ])('%s', (_rule, first, second) => {
    expect([second, first].sort(compareDecisions)).toEqual([first, second])
  })
})

describe('a finding on several components', () => {
  const of = (verdict: Verdict | null) => (verdict === null ? null : claim({ verdict }))
  it.each<[string, (Verdict | null)[], Verdict | null]>([
    ['has the verdict they share', ['not_affected', 'not_affected'], 'not_affected'],
    ['has the more cautious one', ['not_affected', 'fixed'], 'fixed'],
    ['stays open while nobody speaks of one', ['not_affected', null], null],
    ['is affected as soon as one is', [null, 'affected', 'not_affected'], 'affected'],
    ['has none without components', [], null],
  ])('%s', (_rule, given, expected) => {
    expect(claimOfComponents(given.map(of))?.verdict ?? null).toBe(expected)
  })
})
