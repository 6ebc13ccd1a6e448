import { describe, expect, it } from 'vitest'
import { markPlace, rangeEnd, rangeStart, recordAddress, sourceWords } from './record-words.ts'

const range = { introduced: '2.0', fixed: null, lastAffected: null }

describe('the words of a range', () => {
  it.each([
    [{ ...range, fixed: '2.15.0' }, '≥ 2.0', '< 2.15.0'],
    [{ ...range, lastAffected: '2.14.1' }, '≥ 2.0', '≤ 2.14.1'],
    [{ ...range, introduced: '0' }, 'first version', 'no end'],
  ])('%j', (bounds, start, end) => {
    expect(rangeStart(bounds)).toBe(start)
    expect(rangeEnd(bounds)).toBe(end)
  })

  it.each([
    ['2.0', 'start'],
    ['2.1', 'middle'],
    ['2.14.1', 'end'],
  ])('%s lies at the %s', (version, place) => {
    expect(markPlace({ ...range, lastAffected: '2.14.1' }, version)).toBe(place)
  })
})

describe('sources', () => {
  it.each([
    ['osv:Go', 'OSV: Go'],
    ['osv:Ubuntu:22.04:LTS', 'OSV: Ubuntu:22.04:LTS'],
    ['nvd', 'NVD'],
    ['cve-list', 'CVE list'],
    ['vulnrichment', 'CISA vulnrichment'],
    ['fedora', 'Fedora updates'],
  ])('%s → %s', (source, words) => {
    expect(sourceWords(source)).toBe(words)
  })

  it('links only the records of sources with a page per record', () => {
    expect(recordAddress({ source: 'osv:Go', recordId: 'GO-2024-1' })).toBe(
      'https://osv.dev/vulnerability/GO-2024-1',
    )
    expect(recordAddress({ source: 'cve-list', recordId: 'CVELIST:CVE-2024-1' })).toBe(
      'https://www.cve.org/CVERecord?id=CVE-2024-1',
    )
    expect(recordAddress({ source: 'fedora', recordId: 'FEDORA-2025-1' })).toBe(
      'https://bodhi.fedoraproject.org/updates/FEDORA-2025-1',
    )
    expect(recordAddress({ source: 'nvd', recordId: 'CVE-2024-1' })).toBeNull()
  })
})
