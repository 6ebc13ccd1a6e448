import { describe, expect, it } from 'vitest'
import { compileScore, isEuvdRecord } from './compile-score.ts'
import { anyFunction } from '../../../../test/support/expected.ts'

const entry = (parts: Record<string, unknown>) => ({ id: 'EUVD-2025-7', aliases: 'CVE-2025-1000', ...parts })
const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

describe('compileScore', () => {
  it.each<[what: string, parts: Record<string, unknown>, severity: string, score: number | null]>([
    ['the vector before the score', { baseScore: 2, baseScoreVector: vector }, 'critical', 9.8],
    ['the score alone', { baseScore: 9.8, baseScoreVersion: '3.1' }, 'critical', 9.8],
    [
      'the score beside no vector',
      { baseScore: 5, baseScoreVersion: '4.0', baseScoreVector: '?' },
      'medium',
      5,
    ],
    ['a score of version 2, which has no critical', { baseScore: 9.8, baseScoreVersion: '2.0' }, 'high', 9.8],
    ['a score as a text', { baseScore: '3.1' }, 'low', 3.1],
    ['no score', {}, 'unknown', null],
    ['null', { baseScore: null, baseScoreVector: null }, 'unknown', null],
    ['-1', { baseScore: -1, baseScoreVector: '' }, 'unknown', null],
    ['0', { baseScore: 0, baseScoreVersion: '' }, 'unknown', null],
    ['a score above all', { baseScore: 98 }, 'unknown', null],
    ['a score of the wrong kind', { baseScore: { a: 1 } }, 'unknown', null],
  ])('reads %s', (_what, parts, severity, score) => {
    expect(compileScore(entry(parts))).toMatchObject({ severity, score })
  })

  it.each<[what: string, value: unknown, id: string | undefined, cve?: string]>([
    ['aliases in lines', entry({ aliases: 'GHSA-1\ncve-2025-1000\n' }), 'EUVD:EUVD-2025-7', 'CVE-2025-1000'],
    ['a list of aliases', entry({ aliases: ['CVE-2025-1000', 7] }), 'EUVD:EUVD-2025-7', 'CVE-2025-1000'],
    ['several CVEs', entry({ aliases: 'CVE-2025-1000\nCVE-2025-1001' }), undefined],
    ['no CVE', entry({ aliases: 'GHSA-1' }), undefined],
    [
      'an entry of the dump',
      { cveId: 'CVE-2025-1000', euvdId: 'EUVD-2025-7' },
      'EUVD-DUMP:EUVD-2025-7',
      'CVE-2025-1000',
    ],
    ['an entry without an EUVD id', { cveId: 'CVE-2025-1000' }, 'EUVD-DUMP:CVE-2025-1000', 'CVE-2025-1000'],
  ])('names the CVE of %s', (_what, value, id, cve) => {
    const record = compileScore(value)
    expect(record?.id).toBe(id)
    expect(record?.assertions.at(-1)?.otherId).toBe(cve)
    expect(record?.ranges().ranges ?? []).toEqual([])
  })

  it('keeps what it read, which compiles to the same', () => {
    const value = entry({ baseScore: 7.5, dateUpdated: 'Apr 16, 2025, 7:00:16 AM', description: 'long' })
    const record = compileScore(value)
    expect(record?.modifiedAt).toEqual(new Date('2025-04-16'))
    expect(record?.document).not.toContain('long')
    const again = compileScore(JSON.parse(record?.document ?? ''))
    expect(again).toEqual({ ...record, ranges: anyFunction })
  })

  it('tells its records from those of others', () => {
    expect(isEuvdRecord(entry({}))).toBe(true)
    expect(isEuvdRecord(entry({ modified: '2025-01-01T00:00:00Z' }))).toBe(false)
    expect(isEuvdRecord(entry({ id: 'CVE-2025-1000' }))).toBe(false)
    expect(isEuvdRecord([entry({})])).toBe(false)
  })
})
