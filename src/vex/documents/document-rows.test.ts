import { describe, expect, it } from 'vitest'
import type { VexStatement } from '../../contract/vex/shapes.ts'
import { documentRows } from './document-rows.ts'

function statement(fields: Partial<VexStatement> = {}): VexStatement {
  return { pointer: '', vulnerabilityIds: ['CVE-2026-1'], targets: [], productLabel: '', ...fields }
}

describe('documentRows', () => {
  it('numbers statements, then findings', () => {
    const rows = documentRows({
      statements: [statement({ verdict: 'fixed' }), statement({ verdict: 'affected' })],
      findings: [statement()],
    })
    expect(rows.statements.map(({ number, verdict }) => [number, verdict])).toEqual([
      [1, 'fixed'],
      [2, 'affected'],
      [3, undefined],
    ])
    expect(rows.hints).toEqual([])
  })

  it.each([
    [['CVE-2026-1'], ['CVE-2026-1']],
    [['CVE-2026-1', 'CVE-2026-1'], ['CVE-2026-1']],
    [['ghsa-ABCD-efgh-1234', 'GHSA-abcd-EFGH-1234'], ['GHSA-abcd-efgh-1234']],
    [['GHSA-abcd'], ['GHSA-abcd']],
    [
      ['PYSEC-2026-1', 'usn-1-1'],
      ['PYSEC-2026-1', 'usn-1-1'],
    ],
  ])('%j is found under %j', (vulnerabilityIds, claimed) => {
    const { claims } = documentRows({ statements: [statement({ vulnerabilityIds })], findings: [] })
    expect(claims).toEqual(claimed.map((vulnerabilityId) => ({ number: 1, vulnerabilityId })))
  })

  it('numbers the targets of each statement', () => {
    const targets = [
      { kind: 'component' as const, purl: 'pkg:npm/a' },
      { kind: 'product' as const, cpe: 'cpe:/a:b:c' },
    ]
    const rows = documentRows({ statements: [statement(), statement({ targets })], findings: [] })
    expect(rows.targets).toEqual([
      { ...targets[0], number: 2, place: 1 },
      { ...targets[1], number: 2, place: 2 },
    ])
  })

  it('keeps the first id of every statement, and of further ones a bounded number', () => {
    const vulnerabilityIds = Array.from({ length: 100 }, (_, place) => `A-${place}`)
    const statements = Array.from({ length: 6_000 }, () => statement({ vulnerabilityIds }))
    const { claims, hints } = documentRows({ statements, findings: [] })
    expect(claims).toHaveLength(6_000 + 200_000)
    expect(new Set(claims.map(({ number }) => number)).size).toBe(6_000)
    expect(hints).toHaveLength(1)
  })
})
