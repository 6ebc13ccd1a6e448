import { describe, expect, it } from 'vitest'
import {
  dayOf,
  decisionOf,
  draftOf,
  draftProblems,
  scopesOfVersions,
  type DecisionDraft,
} from './decision-draft.ts'

const empty = draftOf(undefined)
const draft = (facts: Partial<DecisionDraft>): DecisionDraft => ({ ...empty, ...facts })

describe('draftProblems', () => {
  it.each([
    [{}, ['verdict']],
    [{ verdict: 'affected' }, []],
    [{ verdict: 'not_affected' }, ['justification']],
    [{ verdict: 'not_affected', comment: '  ' }, ['justification']],
    [{ verdict: 'not_affected', comment: 'not shipped' }, []],
    [{ verdict: 'not_affected', justification: 'component_not_present' }, []],
    [{ verdict: 'fixed', expiresAt: '2026-01-14' }, ['expiresAt']],
    [{ verdict: 'fixed', expiresAt: '2026-01-15' }, []],
  ] as const)('%j: %j', (facts, fields) => {
    expect(Object.keys(draftProblems(draft(facts), '2026-01-15'))).toEqual(fields)
  })
})

describe('decisionOf', () => {
  it('leaves out a justification that is not one of the verdict', () => {
    const sent = {
      ...draft({ justification: 'component_not_present', comment: ' why ' }),
      verdict: 'fixed' as const,
    }
    expect(decisionOf(sent, ['f-1'])).toEqual({
      findingIds: ['f-1'],
      verdict: 'fixed',
      justification: null,
      comment: 'why',
      everyVersion: false,
      expiresAt: null,
    })
  })

  it('holds to the end of the last day where the member is', () => {
    const { expiresAt } = decisionOf({ ...draft({ expiresAt: '2026-03-31' }), verdict: 'affected' }, [])
    expect(expiresAt).toBe(new Date(2026, 2, 31, 23, 59, 59, 999).toISOString())
  })
})

it('a new decision begins with the one in force', () => {
  const present = {
    id: 'd',
    verdict: 'not_affected',
    justification: 'component_not_present',
    comment: 'not shipped',
    everyVersion: true,
    version: null,
    decidedBy: 'Olga',
    decidedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    state: 'in_force',
    endedAt: null,
    endedBy: null,
    batch: null,
  } as const
  expect(draftOf(present)).toMatchObject({
    verdict: 'not_affected',
    everyVersion: true,
    comment: 'not shipped',
  })
})

it('names the day of a time', () => {
  expect(dayOf(new Date(2026, 0, 5, 12).getTime())).toBe('2026-01-05')
})

describe('scopesOfVersions', () => {
  const place = (id: string, version: string | null) => ({ family: { id, name: `Family ${id}` }, version })
  it.each([
    [[place('a', '1.0')], 'Only version 1.0', 'Every version of Family a'],
    [[place('a', null), place('a', null)], 'Only SBOMs without a version', 'Every version of Family a'],
    [
      [place('a', '1.0'), place('b', '1.0')],
      'Only the 2 versions that are selected',
      'Every version of Family a, Family b',
    ],
    [
      ['a', 'b', 'c', 'd'].map((id) => place(id, '1.0')),
      'Only the 4 versions that are selected',
      'Every version of the 4 families',
    ],
  ])('%j', (places, only, every) => {
    expect(scopesOfVersions(places)).toEqual({ only, every })
  })
})
