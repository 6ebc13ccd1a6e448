import { describe, expect, it } from 'vitest'
import { judge, type Goal } from '../../assure/goal.ts'
import { textLike } from '../support/expected.ts'

const goal: Goal = {
  number: 8,
  title: 'memory',
  bounds: {
    peakMB: { below: 200 },
    missing: { exactly: 0 },
    rounds: { atLeast: 3 },
    slowestMs: { atMost: 10 },
  },
  run: () => Promise.reject(new Error('not run here')),
}
const figures = { peakMB: 180.4, missing: 0, rounds: 3, slowestMs: 10, answered: 24 }

describe('judge', () => {
  it('holds when every figure is in its bound', () => {
    expect(judge(goal, { figures, failures: [] })).toEqual({
      held: true,
      line: 'held    8 memory: peakMB 180 (below 200), missing 0 (exactly 0), rounds 3 (at least 3), slowestMs 10 (at most 10), answered 24',
    })
  })

  it.each([
    ['peakMB', 200],
    ['missing', 1],
    ['rounds', 2],
    ['slowestMs', 10.1],
  ])('is missed when %s is %d', (name, value) => {
    const { held, line } = judge(goal, { figures: { ...figures, [name]: value }, failures: [] })
    expect(held).toBe(false)
    expect(line).toContain(`MISSED ${name} ${value >= 100 ? 200 : ''}`.trim())
  })

  it('is missed when a figure is absent, or anything failed', () => {
    const { peakMB: _peak, ...rest } = figures
    expect(judge(goal, { figures: rest, failures: [] })).toMatchObject({ held: false })
    const failures = ['answered 500', 'answered 500', 'replaced']
    expect(judge(goal, { figures, failures })).toMatchObject({
      held: false,
      line: textLike(/, 2 × answered 500, replaced$/),
    })
  })
})
