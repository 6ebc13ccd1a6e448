import { expect, test } from 'vitest'
import { describeAge, effectOf } from '../../client/src/data-age.ts'
import { describeStale } from '../../client/src/summary.ts'
import * as service from '../../src/contract/sbom/data-words.ts'
import type { DataState, SourceBehind } from '../../src/contract/sbom/result.ts'

/** Files and mail of the service describe old data in the words the client uses. */

const source = (fields: Partial<SourceBehind>): SourceBehind => ({
  name: 'osv:npm',
  label: 'OSV: npm',
  brings: 'records',
  state: 'old',
  components: 2,
  lastSuccessAt: '2026-05-31T22:00:00.000Z',
  failingSince: null,
  ...fields,
})

test.each<[DataState, Partial<SourceBehind>]>([
  ['old', {}],
  ['old', { components: 1 }],
  ['failing', { failingSince: '2026-06-01T10:00:00.000Z' }],
  ['failing', {}],
  ['never', { lastSuccessAt: null }],
  ['never', { lastSuccessAt: null, brings: 'exploited', components: null }],
  ['old', { brings: 'exploited', components: null }],
])('%s %j', (state, fields) => {
  const told = source({ state, ...fields })
  expect(service.describeOutdated(told)).toBe(`OSV: npm: ${describeAge(told)}; ${effectOf(told)}`)
})

test.each([
  [0, 5],
  [3, 5],
  [1, 1],
])('%i of %i components', (stale, covered) => {
  const data = { stale, sources: [], asOf: null }
  const matches = { coverage: { covered } } as unknown as Parameters<typeof describeStale>[1]
  expect(service.describeStale(data, covered)).toBe(describeStale(data, matches))
})
