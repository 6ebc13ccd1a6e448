import { expect, it } from 'vitest'
import { publicId } from './public-id.ts'

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
