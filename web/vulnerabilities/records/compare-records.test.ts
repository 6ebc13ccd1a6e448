import { describe, expect, it } from 'vitest'
import type { VulnerabilityRecord } from '#contract/vulnerabilities/shapes.ts'
import { fixesIn, oneOfEachSource, sortedIds, tellersOf, textsOf } from './compare-records.ts'

const record = (recordId: string, source: string, summary: string): VulnerabilityRecord => ({
  relation: 'is',
  recordId,
  source,
  class: 'vulnerability',
  summary,
  severity: 'high',
  score: 7.5,
  vector: null,
  publishedAt: null,
  modifiedAt: null,
  isWithdrawn: false,
  withdrawnAt: null,
  aliases: [],
  upstream: [],
  references: [],
  ranges: [],
  rangesTotal: 0,
})

describe('texts', () => {
  it('are there once each, with the records that say them, whatever their spaces are', () => {
    const records = [
      record('GO-1', 'osv:Go', 'Rapid reset'),
      record('BIT-1', 'osv:Bitnami', 'The HTTP/2 protocol\nallows a denial of service.'),
      record('BIT-2', 'osv:Bitnami', ' The HTTP/2 protocol allows a denial of service.'),
      record('ALSA-1', 'osv:AlmaLinux', ''),
    ]
    expect(textsOf(records).map(({ text, records: { length } }) => [text, length])).toEqual([
      ['The HTTP/2 protocol allows a denial of service.', 2],
      ['Rapid reset', 1],
    ])
  })

  it('name who says them: one record by its id, several of a source by their number', () => {
    expect(
      tellersOf([
        record('BIT-1', 'osv:Bitnami', 'a'),
        record('CISA-VULNRICHMENT:CVE-2023-1', 'vulnrichment', 'a'),
        record('BIT-2', 'osv:Bitnami', 'a'),
        record('DEBIAN-CVE-2023-1', 'osv:Debian', 'a'),
      ]),
    ).toBe('OSV: Bitnami, 2 records · CISA vulnrichment CVE-2023-1 · OSV: Debian CVE-2023-1')
  })
})

it('the first record of each source is compared first', () => {
  const records = ['a', 'a', 'b', 'a', 'c', 'b'].map((source, at) => record(String(at), source, ''))
  expect(
    oneOfEachSource(records)
      .map(({ recordId }) => recordId)
      .join(''),
  ).toBe('024135')
})

it('fixes are there once each', () => {
  const range = { package: 'a', introduced: '0', fixed: '1.0', lastAffected: null }
  expect(fixesIn({ ranges: [range, { ...range, package: 'b' }, { ...range, fixed: null }] })).toEqual(['1.0'])
})

it('other ids are without those that mean the same CVE, the best known ones first', () => {
  expect(
    sortedIds('CVE-2023-1', ['BIT-go-2023-1', 'CVE-2023-2', 'DEBIAN-CVE-2023-1', 'EUVD-1', 'GHSA-a', 'GO-1']),
  ).toEqual(['CVE-2023-2', 'GHSA-a', 'EUVD-1', 'BIT-go-2023-1', 'GO-1'])
})
