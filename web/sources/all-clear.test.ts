import { describe, expect, it } from 'vitest'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { silenceOf, whyNotLoaded } from './all-clear.ts'

const coverage = {
  covered: 90,
  notCovered: 10,
  noVersion: 0,
  uncomparable: 0,
  releaseUnknown: 0,
  dataNotLoaded: 0,
  partlyLoaded: 0,
  noSource: 0,
  sourceUnknown: 0,
}
const data = { records: true, catalogues: true, switchedOff: [] }
const facts = { coverage, sboms: 2, data }

describe('no finding is an all-clear', () => {
  it.each([
    ['unknown', undefined],
    ['clear', facts],
    ['no_sbom', { ...facts, sboms: 0 }],
    ['no_data', { ...facts, coverage: { ...coverage, covered: 0, dataNotLoaded: 90 } }],
    ['no_data', { ...facts, coverage: { ...coverage, covered: 0, partlyLoaded: 90 } }],
    ['no_data', { ...facts, coverage: { ...coverage, covered: 0 }, data: { ...data, records: false } }],
    ['nothing_judged', { ...facts, coverage: { ...coverage, covered: 0 } }],
    ['clear', { ...facts, data: { ...data, catalogues: false } }],
  ] as const)('%s', (silence, given) => {
    expect(silenceOf(given, { exploited: false })).toBe(silence)
  })

  it('of exploited ones only where a catalogue is loaded', () => {
    expect(silenceOf(facts, { exploited: true })).toBe('clear')
    expect(silenceOf({ ...facts, data: { ...data, catalogues: false } }, { exploited: true })).toBe(
      'no_catalogue',
    )
  })
})

describe('data that is not loaded', () => {
  const source = (label: string, state: SourceRow['state'], brings: SourceRow['brings']): SourceRow => ({
    name: label,
    label,
    records: 0,
    state,
    brings,
    lastSuccessAt: null,
    lastAttemptAt: null,
    lastOutcome: null,
    lastError: null,
    failingSince: null,
  })
  const failing = ['NVD', 'CVE list', 'OSV: Go', 'OSV: npm', 'OSV: PyPI'].map((label) =>
    source(label, 'failing', 'records'),
  )
  const others = [source('OSV: Maven', 'never', 'records'), source('CISA KEV', 'failing', 'exploited')]

  it.each([
    ['records', [...failing, ...others], [], 'Failing: NVD, CVE list, OSV: Go, OSV: npm and 1 more.'],
    ['exploited', [...failing, ...others], ['NVD'], 'Failing: CISA KEV.'],
    ['records', others, ['OSV', 'NVD'], 'Switched off by the configuration: OSV, NVD.'],
    ['records', others, [], 'The service is loading it in the background.'],
  ] as const)('of %s', (brings, sources, switchedOff, words) => {
    expect(whyNotLoaded({ sources, switchedOff }, brings)).toBe(words)
  })
})
