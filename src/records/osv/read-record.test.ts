import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRecord } from './compile-record.ts'
import { readRecord } from './read-record.ts'

const base = { id: 'OSV-1', modified: '2025-01-01T00:00:00Z' }
const read = (parts: Record<string, unknown>) => readRecord({ ...base, ...parts }, 'file.json')

test('a full record is read', () => {
  const record = read({
    published: '2024-12-01T10:00:00.123456Z',
    summary: ' A flaw ',
    aliases: ['CVE-2025-1', 'OSV-1', 'CVE-2025-1'],
    upstream: ['CVE-2025-2'],
    related: ['CVE-2025-3'],
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }],
    affected: [
      {
        package: { ecosystem: 'Debian:12', name: 'openssl' },
        ranges: [
          { type: 'GIT', repo: 'https://example.test', events: [{ introduced: '0' }] },
          { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1.0-1' }] },
        ],
        versions: ['0.9', '0.9'],
      },
    ],
  })
  expect(record).toEqual({
    id: 'OSV-1',
    summary: 'A flaw',
    modifiedAt: new Date('2025-01-01T00:00:00Z'),
    publishedAt: new Date('2024-12-01T10:00:00.123Z'),
    withdrawnAt: null,
    aliases: ['CVE-2025-1'],
    upstream: ['CVE-2025-2'],
    related: ['CVE-2025-3'],
    affected: [
      {
        ecosystem: 'Debian:12',
        name: 'openssl',
        ranges: [
          [
            { kind: 'introduced', version: '0' },
            { kind: 'fixed', version: '1.0-1' },
          ],
        ],
        versions: ['0.9'],
      },
    ],
    vectors: ['CVSS:3.1/AV:N'],
    severityLabels: ['CVSS:3.1/AV:N'],
    isInformational: false,
  })
})

test('without a summary the first line of the details stands for it', () => {
  expect(read({ details: '\n First line \nSecond' }).summary).toBe('First line')
  expect(read({ summary: '', details: 'x'.repeat(5_000) }).summary).toHaveLength(300)
  expect(read({}).summary).toBe('')
})

test.each([
  ['2025-08-01T00:00:00Z', '2025-08-01T00:00:00.000Z'],
  ['soon', '2025-01-01T00:00:00.000Z'],
])('a record withdrawn at "%s" is withdrawn', (withdrawn, expected) => {
  expect(read({ withdrawn }).withdrawnAt?.toISOString()).toBe(expected)
})

test('years before the common ones are kept: a source may date all its records so', () => {
  expect(read({ modified: '0001-01-01T00:00:00Z' }).modifiedAt.getUTCFullYear()).toBe(1)
  expect(read({ modified: 'yesterday' }).modifiedAt).toEqual(new Date(0))
})

test.each([
  [null, 'found no "id"'],
  ['text', 'found no "id"'],
  [[], 'found no "id"'],
  [{}, 'found no "id"'],
  [{ id: 7, modified: '' }, 'found no "id"'],
  [{ id: 'OSV-1' }, 'found no "modified" time'],
  [{ id: '', modified: 'x' }, 'id is not usable'],
  [{ id: '../etc/passwd', modified: 'x' }, 'id is not usable'],
  [{ id: 'a b', modified: 'x' }, 'id is not usable'],
  [{ id: 'x'.repeat(101), modified: 'x' }, 'id is not usable'],
])('anything that is not a record is refused: %j', (value, message) => {
  expect(() => readRecord(value, 'file.json')).toThrow(message)
})

test('lists beyond every real size are refused', () => {
  const affected = (parts: Record<string, unknown>) => [
    { package: { ecosystem: 'npm', name: 'x' }, ...parts },
  ]
  const versions = Array.from({ length: 50_001 }, (_, index) => `1.0.${index}`)
  expect(() => read({ affected: affected({ versions }) })).toThrow('more than 50000 versions')
  const events = versions.slice(0, 2_001).map((fixed) => ({ fixed }))
  expect(() => read({ affected: affected({ ranges: [{ type: 'SEMVER', events }] }) })).toThrow(
    '2000 range events',
  )
})

test('parts of the wrong kind count as absent, keys of the prototype are no keys', () => {
  const hostile = JSON.parse(
    '{"aliases":"CVE-1","upstream":[1,null,{"a":1}],"severity":{"score":"x"},"affected":[null,7,"x",[],{"package":"npm"},' +
      '{"package":{"ecosystem":"npm","name":["x"]}},{"package":{"ecosystem":"npm","name":"__proto__"},"ranges":[{"events":[[],{"fixed":7}]}],"versions":{"0":"1"}}],' +
      '"__proto__":{"withdrawn":"2025-01-01T00:00:00Z"},"database_specific":[]}',
  ) as Record<string, unknown>
  expect(read(hostile)).toMatchObject({
    aliases: [],
    upstream: [],
    withdrawnAt: null,
    affected: [{ ecosystem: 'npm', name: '__proto__', ranges: [[]], versions: [] }],
  })
})

test('NUL and lone surrogates never reach the store', () => {
  const record = read({ summary: 'a\u0000b\ud800c', aliases: ['CVE\u0000-1'] })
  expect([record.summary, record.aliases]).toEqual(['abc', ['CVE-1']])
})

test('RustSec marks records that name no vulnerability', () => {
  const withMark = (informational: unknown) =>
    read({
      affected: [{ package: { ecosystem: 'crates.io', name: 'x' }, database_specific: { informational } }],
    })
  expect(withMark('unmaintained').isInformational).toBe(true)
  expect(withMark(null).isInformational).toBe(false)
})

test('any JSON is read or refused in words, never otherwise', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (affected, severity) => {
      const record = compileRecord(
        { ...base, affected, severity, aliases: affected, upstream: severity },
        '',
        'x',
      )
      record.ranges()
      return record.id === 'OSV-1'
    }),
  )
})
