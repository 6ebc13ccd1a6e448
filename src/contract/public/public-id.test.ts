import { expect, it } from 'vitest'
import { otherIds, publicId, vulnerabilityId } from './public-id.ts'

it.each([
  ['EUVD:EUVD-2024-1', 'EUVD-2024-1'],
  ['EUVD-DUMP:EUVD-2024-1', 'EUVD-2024-1'],
  ['EUVD-DUMP:CVE-2024-1', 'CVE-2024-1'],
  ['NVD:CVE-2024-1', 'CVE-2024-1'],
  ['NVD-OVERRIDE:CVE-2024-1', 'CVE-2024-1'],
  ['CISA-VULNRICHMENT:CVE-2024-1', 'CVE-2024-1'],
  ['CVE-2024-1', 'CVE-2024-1'],
  ['UBUNTU-CVE-2024-1', 'UBUNTU-CVE-2024-1'],
  ['GHSA-jfh8-c2jp-5v3q', 'GHSA-jfh8-c2jp-5v3q'],
  ['RHSA-2024:1234', 'RHSA-2024:1234'],
  ['openSUSE-SU-2024:CVE-1', 'openSUSE-SU-2024:CVE-1'],
])('%s is known to the public as %s', (id, expected) => {
  expect(publicId(id)).toBe(expected)
})

it.each([
  ['EUVD:EUVD-2024-1', 'EUVD-2024-1'],
  ['EUVD-DUMP:CVE-2024-1', 'CVE-2024-1'],
  ['CISA-VULNRICHMENT:CVE-2024-1', 'CVE-2024-1'],
  ['DEBIAN-CVE-2024-1', 'CVE-2024-1'],
  ['UBUNTU-CVE-2024-1', 'CVE-2024-1'],
  ['ALPINE-CVE-2024-1', 'CVE-2024-1'],
  ['CVE-2024-1', 'CVE-2024-1'],
  ['EUVD-2024-1', 'EUVD-2024-1'],
  ['GHSA-jfh8-c2jp-5v3q', 'GHSA-jfh8-c2jp-5v3q'],
  ['RHSA-2024:1234', 'RHSA-2024:1234'],
  ['DSA-5-1', 'DSA-5-1'],
  ['openSUSE-SU-2024:CVE-1', 'openSUSE-SU-2024:CVE-1'],
])('%s is a record of %s', (id, expected) => {
  expect(vulnerabilityId(id)).toBe(expected)
})

it('names every other id once, and not the vulnerability itself', () => {
  const ids = ['CISA-VULNRICHMENT:CVE-2024-1', 'DEBIAN-CVE-2024-2', 'GHSA-jfh8-c2jp-5v3q', 'NVD:CVE-2024-2']
  expect(otherIds('CVE-2024-1', ids)).toEqual(['CVE-2024-2', 'GHSA-jfh8-c2jp-5v3q'])
  expect(otherIds(null, ['CVE-2024-1'])).toEqual(['CVE-2024-1'])
})
