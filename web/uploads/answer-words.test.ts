import { describe, expect, it } from 'vitest'
import type { SbomReceipt } from '#contract/sbom/shapes.ts'
import type { VexReceipt } from '#contract/vex/shapes.ts'
import { sbomAnswer, vexAnswer } from './answer-words.ts'

const sbom: SbomReceipt = {
  id: 's',
  status: 'parsed',
  components: 15,
  version: '2.4.1',
  url: '',
  duplicate: false,
}
const vex: VexReceipt = {
  id: 'v',
  format: 'openvex',
  statements: 1,
  findings: 0,
  unbound: 0,
  version: null,
  replaced: 0,
  url: '',
  duplicate: false,
}

describe('sbomAnswer', () => {
  it.each([
    [{}, 'Stored: 15 components of version 2.4.1. Matching is running.'],
    [
      { version: null, components: 1 },
      'Stored: 1 component of a product without a version. Matching is running.',
    ],
    [
      { duplicate: true },
      'This file had already been uploaded, and nothing has changed: 15 components of version 2.4.1.',
    ],
  ])('%j → %s', (facts, words) => {
    expect(sbomAnswer({ ...sbom, ...facts })).toBe(words)
  })
})

describe('vexAnswer', () => {
  it.each([
    [{}, 'Stored: OpenVEX with 1 statement for every version.'],
    [
      { format: 'csaf', version: '2', statements: 4, unbound: 1, findings: 2, replaced: 1 },
      'Stored: CSAF VEX with 4 statements for version 2. 1 statement names nothing that was found. ' +
        'It also reports 2 findings without a verdict. It replaces 1 earlier document.',
    ],
    [
      { duplicate: true, unbound: 1 },
      'This file had already been uploaded, and nothing has changed: OpenVEX with 1 statement for every version.',
    ],
  ] as const)('%j → %s', (facts, words) => {
    expect(vexAnswer({ ...vex, ...facts })).toBe(words)
  })
})
