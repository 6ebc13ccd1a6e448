import { describe, expect, it } from 'vitest'
import { ecosystems } from '../formats/identity/ecosystems.ts'
import { homeDatabases, isHomeRecord } from './home-databases.ts'

describe('home databases', () => {
  it.each([
    ['PyPI', 'PYSEC-2021-1', true],
    ['PyPI', 'GHSA-xxxx-xxxx-xxxx', false],
    ['npm', 'GHSA-xxxx-xxxx-xxxx', true],
    ['Go', 'GO-2021-0001', true],
    ['Go', 'GHSA-xxxx-xxxx-xxxx', false],
    ['Debian', 'DSA-5000-1', true],
    ['Debian', 'DEBIAN-CVE-2021-1', true],
    ['Debian', 'ALSA-2021:1', false],
    ['unheard of', 'GHSA-xxxx-xxxx-xxxx', false],
  ])('%s %s: %s', (ecosystem, recordId, expected) => {
    expect(isHomeRecord(ecosystem, recordId)).toBe(expected)
  })

  it('names only ecosystems that components can have', () => {
    const known = new Set(ecosystems.map((ecosystem) => ecosystem.name))
    expect(homeDatabases.map((home) => home.ecosystem).filter((name) => !known.has(name))).toEqual([])
  })
})
