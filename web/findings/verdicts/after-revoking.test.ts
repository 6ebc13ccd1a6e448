import { describe, expect, it } from 'vitest'
import type { BoundStatement, Decision } from '#contract/findings/verdict.ts'
import { afterRevoking } from './after-revoking.ts'

const own: Decision = {
  id: 'd-1',
  verdict: 'not_affected',
  justification: null,
  comment: 'not shipped',
  everyVersion: false,
  version: '2.4.1',
  decidedBy: 'Olga',
  decidedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  state: 'in_force',
  endedAt: null,
  endedBy: null,
  batch: null,
}
const wider: Decision = { ...own, id: 'd-2', verdict: 'affected', everyVersion: true, decidedBy: 'Erik' }
const said = { verdict: 'fixed' } as BoundStatement
const title = 'CVE-2021-44228'

describe('afterRevoking says what counts then', () => {
  it.each([
    ['nothing else', [own], [], 'undecided again and counts as open'],
    ['an ended decision', [own, { ...wider, state: 'revoked' as const }], [], 'undecided again'],
    ['a document', [own], [said], 'Then “fixed” applies, as stated in an uploaded document'],
    ['a decision for every version', [own, wider], [said], 'Then Erik’s decision “affected” applies'],
  ])('after it: %s', (_name, decisions, statements, words) => {
    expect(afterRevoking(own, { title, decisions, statements })).toContain(words)
  })

  it('names how far it reaches', () => {
    expect(afterRevoking(wider, { title, decisions: [wider], statements: [] })).toContain('on every version')
  })
})
