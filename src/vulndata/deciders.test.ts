import { describe, expect, it } from 'vitest'
import { ecosystems, osvEcosystems } from '../identities/ecosystems.ts'
import { decidersByEcosystem, inParts } from './deciders.ts'
import { sources } from './sources/all.ts'

describe('who decides about a component', () => {
  it('is said of every ecosystem, and of products named by CPE, by one source or several', () => {
    const decided = sources.flatMap(({ decides = [] }) => decides)
    expect([...new Set(decided)].sort()).toEqual([...ecosystems.map(({ name }) => name), 'cpe'].sort())
  })

  it('has one row for each ecosystem of OSV, and one for each other source', () => {
    expect(inParts.decides).toEqual(osvEcosystems)
    for (const [ecosystem, rows] of decidersByEcosystem) {
      expect(osvEcosystems).not.toContain(ecosystem)
      expect(rows).not.toHaveLength(0)
    }
    expect(decidersByEcosystem.get('cpe')).toEqual(['nvd', 'cve-list'])
  })
})
