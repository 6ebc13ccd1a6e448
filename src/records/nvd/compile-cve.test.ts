import { describe, expect, it, vi } from 'vitest'
import { RefusedData } from '../../source-files/refused-data.ts'
import { compileCve, type CompiledCve } from './compile-cve.ts'
import type { CompiledRecord } from '../compiled-record.ts'

const configurations = [
  {
    nodes: [
      {
        operator: 'OR',
        negate: false,
        cpeMatch: [
          {
            vulnerable: true,
            criteria: 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*',
            versionEndExcluding: '2.0',
            matchCriteriaId: 'F4E2E2F1-0000-0000-0000-000000000000',
          },
        ],
      },
    ],
  },
]

const cve = {
  id: 'CVE-2025-12345',
  sourceIdentifier: 'cna@acme.example',
  published: '2025-03-01T10:15:09.143',
  lastModified: '2025-04-03T20:53:22.977',
  vulnStatus: 'Analyzed',
  descriptions: [
    { lang: 'es', value: 'La bomba.' },
    { lang: 'en', value: `The pump\u0000 overflows. ${'x'.repeat(400)}` },
  ],
  metrics: {
    cvssMetricV31: [
      {
        source: 'nvd@nist.gov',
        type: 'Primary',
        cvssData: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
      },
    ],
  },
  references: [{ url: 'https://acme.example/advisory', source: 'cna@acme.example' }],
  configurations,
}

const compile = (change: Record<string, unknown> = {}): CompiledCve =>
  compileCve({ cve: { ...cve, ...change } }, 'entry 1')

describe('compileCve', () => {
  it('compiles an entry to a record of its own beside those of the bare CVE id', () => {
    const record: CompiledRecord = compile()
    expect(record).toMatchObject({
      id: 'NVD:CVE-2025-12345',
      source: 'nvd',
      class: 'vulnerability',
      modifiedAt: new Date('2025-04-03T20:53:22.977Z'),
      publishedAt: new Date('2025-03-01T10:15:09.143Z'),
      withdrawnAt: null,
      ecosystems: ['cpe'],
      severity: 'critical',
      score: 9.8,
      assertions: [
        { otherId: 'NVD:CVE-2025-12345', relation: 'self', bridges: true },
        { otherId: 'CVE-2025-12345', relation: 'alias', bridges: true },
      ],
    })
    expect(record.summary).toMatch(/^The pump overflows\. x+$/)
    expect(record.summary).toHaveLength(300)
    expect(record.ranges()).toMatchObject({
      unorderedBounds: 0,
      ranges: [{ packageKey: 'cpe\u001fa:acme:pump', scheme: 'generic', introduced: '0', upperText: '2.0' }],
    })
  })

  it('keeps the entry itself as the document, with its references at the top', () => {
    expect(JSON.parse(compile().document)).toEqual(cve)
  })

  it('reads times as UTC, wherever the service runs', () => {
    vi.stubEnv('TZ', 'America/New_York')
    try {
      expect(new Date('2025-04-03T20:00').getUTCHours()).toBe(0)
      expect(compile().modifiedAt.toISOString()).toBe('2025-04-03T20:53:22.977Z')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('reads an entry alone as one of a feed', () => {
    const { ranges: _alone, ...alone } = compileCve(cve, 'file')
    const { ranges: _inFeed, ...inFeed } = compile()
    expect(alone).toEqual(inFeed)
  })

  it('withdraws a rejected entry', () => {
    const record = compile({ vulnStatus: 'Rejected' })
    expect(record.withdrawnAt).toEqual(new Date('2025-04-03T20:53:22.977Z'))
    expect(record.ranges().ranges).toEqual([])
    expect(record.assertions.map(({ bridges }) => bridges)).toEqual([true, false])
  })

  it('keeps an entry without configurations for its severity', () => {
    expect(compile({ configurations: undefined, vulnStatus: 'Deferred' })).toMatchObject({
      severity: 'critical',
      withdrawnAt: null,
    })
    expect(compile({ configurations: undefined }).ranges().ranges).toEqual([])
  })

  it.each<[what: string, change: Record<string, unknown>, deciding: boolean, document: boolean]>([
    ['nothing', {}, false, false],
    ['a text', { descriptions: [] }, false, true],
    ['a score', { metrics: {} }, false, true],
    ['a time', { lastModified: '2026-01-01T00:00:00.000' }, false, true],
    ['a range', { configurations: [] }, true, true],
    ['rejection', { vulnStatus: 'Rejected' }, true, true],
  ])('tells a change of %s', (_what, change, deciding, document) => {
    const [before, after] = [compile(), compile(change)]
    expect(after.decidingHash !== before.decidingHash).toBe(deciding)
    expect(after.documentHash !== before.documentHash).toBe(document)
  })

  it('does not take another layout of the feed for a change', () => {
    const laidOut: unknown = JSON.parse(JSON.stringify({ cve }, null, 2))
    expect(compileCve(laidOut, 'entry 1').documentHash).toBe(compile().documentHash)
  })

  describe('of an override', () => {
    const annotation = { cve_id: 'CVE-2025-12345', reason: 'Not yet analyzed by NVD.' }

    it('compiles to a record beside that of NVD', () => {
      const record = compileCve({ _annotation: annotation, cve: { configurations } }, 'file')
      expect(record).toMatchObject({
        id: 'NVD-OVERRIDE:CVE-2025-12345',
        source: 'nvd-overrides',
        modifiedAt: new Date(0),
        publishedAt: null,
        summary: '',
        severity: 'unknown',
      })
      expect(record.assertions).toEqual([
        { otherId: 'NVD-OVERRIDE:CVE-2025-12345', relation: 'self', bridges: true },
        { otherId: 'CVE-2025-12345', relation: 'alias', bridges: true },
      ])
      expect(record.ranges().ranges).toEqual(compile().ranges().ranges)
      expect(record.decidingHash).not.toBe(compile().decidingHash)
    })

    it('takes the texts and times of newer files', () => {
      const more = {
        ...annotation,
        description: 'The pump overflows.',
        modified: '2025-03-17T15:03:25.141000+00:00',
        published: '2000-02-04T05:00:00+00:00',
      }
      expect(compileCve({ _annotation: more, cve: { configurations: [] } }, 'file')).toMatchObject({
        summary: 'The pump overflows.',
        modifiedAt: new Date('2025-03-17T15:03:25.141Z'),
        publishedAt: new Date('2000-02-04T05:00:00Z'),
      })
    })
  })

  it.each<[what: string, value: unknown, message: string]>([
    ['no object', 'x', 'no "lastModified" time'],
    ['an OSV record', { id: 'GHSA-x', modified: '2025-01-01T00:00:00Z' }, 'no "lastModified" time'],
    ['another id', { cve: { ...cve, id: 'GHSA-jfh8-c2jp-5v3q' } }, 'found no CVE id'],
    ['a long id', { cve: { ...cve, id: `CVE-2025-${'1'.repeat(20)}` } }, 'found no CVE id'],
    ['an override without an id', { _annotation: {}, cve: {} }, 'found no CVE id'],
    ['a time that is none', { cve: { ...cve, lastModified: 'yesterday' } }, 'no "lastModified" time'],
  ])('refuses %s', (_what, value, message) => {
    expect(() => compileCve(value, 'entry 7')).toThrow(`entry 7: expected an NVD entry, found`)
    expect(() => compileCve(value, 'entry 7')).toThrow(message)
    expect(() => compileCve(value, 'entry 7')).toThrow(RefusedData)
  })
})
