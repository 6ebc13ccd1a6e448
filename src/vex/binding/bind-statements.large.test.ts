import { describe, expect, it } from 'vitest'
import { BoundStatements, type StatementTarget } from './bind-statements.ts'
import { readComponent } from './bind-target.ts'

const at = new Date('2026-01-01T00:00:00Z')
const noProduct = { main: null, version: null }

function target(more: Partial<StatementTarget> = {}): StatementTarget {
  return {
    documentId: 'a',
    number: 1,
    verdict: 'not_affected',
    justification: null,
    isForVersion: false,
    statedAt: null,
    receivedAt: at,
    kind: 'component',
    ...more,
  }
}

const component = (purl: string) => readComponent({ purl, cpe: null, version: null })

describe('the statements on a vulnerability', () => {
  it('that name a component more than once are given once', () => {
    const statements = new BoundStatements(
      [
        target({ purl: 'pkg:npm/left' }),
        target({ purl: 'pkg:npm/left@1.0.0' }),
        target({ number: 2, kind: 'product' }),
        target({ number: 3, purl: 'pkg:npm/right' }),
      ],
      noProduct,
    )
    const claims = statements.allFor(component('pkg:npm/left@1.0.0'))
    expect(claims.map(({ number, isWholeProduct }) => [number, isWholeProduct])).toEqual([
      [1, false],
      [2, true],
    ])
    expect(statements.decidingFor(component('pkg:npm/left@1.0.0'))?.number).toBe(1)
    expect(statements.decidingFor(component('pkg:npm/other@1.0.0'))?.number).toBe(2)
  })

  it('that a hostile document multiplies cost no more than their budget, and clear nothing unread', () => {
    const targets = Array.from({ length: 50_000 }, (_, n) =>
      target({ number: n + 1, purl: `pkg:npm/left?a=${n}&b=${n}&c=${n}` }),
    )
    const budget = { left: 5_000_000 }
    const started = performance.now()
    const statements = new BoundStatements(targets, noProduct, budget)
    const components = Array.from({ length: 10_000 }, (_, n) =>
      component(`pkg:npm/left@${n}.0.0?a=1&b=2&c=3`),
    )
    expect(components.every((one) => statements.decidingFor(one) === null)).toBe(true)
    expect(budget.left).toBeLessThan(0)
    expect(statements.decidingFor(component('pkg:npm/left@1.0.0?a=0&b=0&c=0'))).toBeNull()
    expect(performance.now() - started).toBeLessThan(60_000)
  })

  it('with ranges of any length cost no more either', () => {
    const range = `vers:npm/${Array.from({ length: 500 }, (_, n) => `${n}.0.0`).join('|')}`
    const targets = Array.from({ length: 5_000 }, (_, n) =>
      target({
        number: n + 1,
        purl: 'pkg:npm/left',
        versions: [{ range: `${range}|${n}`, status: 'affected' }],
      }),
    )
    const started = performance.now()
    const statements = new BoundStatements(targets, noProduct, { left: 5_000_000 })
    expect(statements.decidingFor(component('pkg:npm/left@9999.0.0'))).toBeNull()
    expect(performance.now() - started).toBeLessThan(60_000)
  })
})
