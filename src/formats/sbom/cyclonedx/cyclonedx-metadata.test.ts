import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { hintsOf, readCyclonedxOf as read } from '../sample-documents.ts'

describe('the product', () => {
  it('may have neither name nor type, and nothing it lacks is a defect', () => {
    const document = read({ metadata: { component: {} }, components: [] })
    expect(document.main).toMatchObject({ name: '', type: null, version: null })
    expect(hintsOf(document)).toEqual({ no_components: '1' })
  })

  it.each([
    ['2.0', '2.0'],
    ['  ', null],
    ['NOASSERTION', null],
    ['v'.repeat(150), 'v'.repeat(limits.versionCharacters)],
    ['\u0000 1\n', '1'],
  ])('version %j', (version, expected) => {
    expect(read({ metadata: { component: { version } } }).productVersion).toBe(expected)
  })

  it('a range of versions is none', () => {
    const component = { version: null, versionRange: 'vers:npm/>=2.0.0|<3.0.0' }
    expect(read({ metadata: { component } })).toMatchObject({ productVersion: null, main: { version: null } })
  })
})

describe('tools', () => {
  it.each<[unknown, string[]]>([
    [[{ vendor: 'CycloneDX', name: 'cyclonedx-npm', version: '1.6.1' }], ['cyclonedx-npm 1.6.1']],
    [
      [{ name: 'a' }, 'b', {}, { version: '1' }],
      ['a', '1'],
    ],
    [{ components: [{ name: 'a' }], services: [{ name: 'b' }] }, ['a', 'b']],
    ['text', []],
  ])('%j', (tools, expected) => {
    expect(read({ metadata: { tools } }).tools).toEqual(expected)
  })
})

it('of many tools the first 20 are kept', () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({ name: `tool ${index}` }))
  expect(read({ metadata: { tools } }).tools).toHaveLength(20)
})

describe('times are read as UTC', () => {
  beforeEach(() => vi.stubEnv('TZ', 'America/New_York'))
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02T03:04:05.123456789Z', '2024-01-02T03:04:05.123Z'],
    ['2024-01-02T03:04:05-05:00', '2024-01-02T08:04:05.000Z'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02T03:04Z', '2024-01-02T03:04:00.000Z'],
    ['2024-01-02T03:04+02:00', '2024-01-02T01:04:00.000Z'],
    ['2024-01-02 03:04:05.678901+00:00', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02T03:04:05.678+0000', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02T03:04:05-0530', '2024-01-02T08:34:05.000Z'],
    ['2024-01-02T03:04:05z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02', null],
    ['2024-01-02T03', null],
    ['2024-01-02T25:00', null],
    ['2024-01-02T03:04:05+99:00', null],
    ['yesterday', null],
    [1_704_164_645, null],
  ])('%j', (timestamp, expected) => {
    expect(read({ metadata: { timestamp } }).createdAt).toBe(expected)
  })
})
