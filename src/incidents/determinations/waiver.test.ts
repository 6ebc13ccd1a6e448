import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  determinationStates,
  determinationValues,
  negativeValues,
  type DeterminationState,
  type DeterminationValue,
} from '../../contract/incidents/words.ts'
import { waiverOf, type DeterminationFacts } from './waiver.ts'

const scopeOf = (value: DeterminationValue) =>
  value.startsWith('dora_') ? ('dora' as const) : ('cra' as const)

function fact(value: DeterminationValue, state: DeterminationState, hour: number): DeterminationFacts {
  const at = (hours: number) => new Date(Date.UTC(2026, 9, 1, hours))
  const decidedAt = state === 'pending' ? null : at(hour + 1)
  return { scope: scopeOf(value), value, state, recordedAt: at(hour), decidedAt }
}

type Case = [name: string, facts: DeterminationFacts[], waiver: ReturnType<typeof waiverOf>]

const cases: Case[] = [
  ['nothing recorded', [], null],
  ['a negative one that waits', [fact('not_exploited', 'pending', 0)], null],
  ['a negative one that was approved', [fact('not_exploited', 'approved', 0)], 'determination'],
  ['a negative one that was rejected', [fact('not_affected', 'rejected', 0)], null],
  ['a negative one that was withdrawn', [fact('not_severe', 'withdrawn', 0)], null],
  ['a positive one that was rejected', [fact('actively_exploited', 'rejected', 0)], null],
  [
    'a negative one, then a positive one that waits',
    [fact('not_exploited', 'superseded', 0), fact('actively_exploited', 'pending', 5)],
    null,
  ],
  [
    'a positive one, then a negative one that was approved',
    [fact('severe_incident', 'superseded', 0), fact('not_severe', 'approved', 5)],
    'determination',
  ],
  ['classified as major, waiting', [fact('dora_major', 'pending', 0)], null],
  ['classified as major, rejected', [fact('dora_major', 'rejected', 0)], 'classification_rejected'],
  [
    'classified as major again after a rejection',
    [fact('dora_major', 'rejected', 0), fact('dora_major', 'pending', 5)],
    null,
  ],
  ['not major, waiting', [fact('dora_major', 'approved', 0), fact('dora_not_major', 'pending', 5)], null],
  [
    'not major, approved',
    [fact('dora_major', 'superseded', 0), fact('dora_not_major', 'approved', 5)],
    'determination',
  ],
]

test.each(cases)('%s', (_name, facts, waiver) => {
  const scope = facts[0]?.scope ?? 'cra'
  expect(waiverOf(scope, facts)).toBe(waiver)
  expect(waiverOf(scope === 'cra' ? 'dora' : 'cra', facts)).toBeNull()
})

const anyFacts = fc.array(
  fc
    .record({
      value: fc.constantFrom(...determinationValues),
      state: fc.constantFrom(...determinationStates),
      hour: fc.nat(500),
    })
    .map(({ value, state, hour }) => fact(value, state, hour)),
  { maxLength: 12 },
)

test('negative ones that were not approved never change anything', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom('cra' as const, 'dora' as const), (facts, scope) => {
      const effective = facts.filter(
        ({ value, state }) => state === 'approved' || !negativeValues.includes(value),
      )
      expect(waiverOf(scope, facts)).toBe(waiverOf(scope, effective))
    }),
  )
})

test('reports end only by an approved negative one, or by a classification that was rejected', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom('cra' as const, 'dora' as const), (facts, scope) => {
      const waiver = waiverOf(scope, facts)
      const mine = facts.filter((each) => each.scope === scope)
      const isNegated = mine.some(
        ({ value, state }) => negativeValues.includes(value) && state === 'approved',
      )
      const isRejected = mine.some(({ value, state }) => value === 'dora_major' && state === 'rejected')
      if (waiver !== null) expect(waiver === 'determination' ? isNegated : isRejected).toBe(true)
    }),
  )
})
