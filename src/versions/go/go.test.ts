import { describe, expect, it } from 'vitest'
import { countPairs, findDisorder, type OrderedChain } from '../ordered-chain.ts'
import { isOrderable } from '../ordering.ts'

const modules: OrderedChain = [
  ['v0.0.0-20140422174119-9fd32a8b3d3d'],
  ['v0.0.0-20200101120000-abcdefabcdef', '0.0.0-20200101120000-abcdefabcdef'],
  ['v0.0.0-20200101120001-000000000000'],
  ['v0.0.0'],
  ['v0.1.0-alpha'],
  ['v0.1.0'],
  ['v1.2.4-0.20191109021931-daa7c04131f5'],
  ['v1.2.4-rc.1'],
  ['v1.2.4-rc.1.0.20200101000000-abcdefabcdef'],
  ['v1.2.4', '1.2.4', 'v1.2.4+incompatible'],
  ['v1.2.5-0.20191109021931-daa7c04131f5'],
  ['v1.2.5'],
  ['v1.10.0'],
  ['v1.34.0-RC'],
  ['v1.34.0-beta'],
  ['v1.34.0'],
  ['v2.0.0+incompatible', 'v2.0.0'],
  ['v2.0.1-0.20200101120000-abcdefabcdef+incompatible'],
  ['v17.12.0-ce-rc1.0.20200618181300-9dc6525e6118+incompatible'],
  ['v17.12.0+incompatible'],
  ['v20.10.7+incompatible'],
]

const toolchains: OrderedChain = [
  ['1.19.0-0'],
  ['go1.19beta1', '1.19beta1', '1.19.0-beta.1'],
  ['go1.19rc1', '1.19.0-rc.1'],
  ['go1.19rc2', '1.19rc2', 'go1.19rc2-distributor'],
  ['go1.19', '1.19', '1.19.0', 'v1.19.0'],
  ['go1.19.3', '1.19.3', 'go1.19.3-bigcorp.1'],
  ['go1.20.0-0', 'go1.20', '1.20.0'],
  ['1.21.0-0'],
  ['1.21.0-rc.2', 'go1.21rc2'],
  ['go1.21.0'],
  ['go1.21.13'],
]

const unorderable = [
  '',
  '(devel)',
  'devel',
  'none',
  'UNKNOWN',
  'master',
  'v',
  'go',
  'go1.21rc',
  'vgo1.21',
  'go1.2.3.4',
]

describe('go', () => {
  it('orders module versions and pseudo-versions', () => {
    expect(findDisorder('go', modules)).toEqual([])
    expect(countPairs(modules)).toBeGreaterThan(150)
  })

  it('orders toolchains beside the versions that advisories of the standard library name', () => {
    expect(findDisorder('go', toolchains)).toEqual([])
  })

  it.each(unorderable)('does not order %j', (version) => {
    expect(isOrderable('go', version)).toBe(false)
  })
})
