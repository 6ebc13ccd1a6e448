import { describe, expect, it } from 'vitest'
import type { VendorStatement } from '#contract/vulnerabilities/vendor-words.ts'
import { advisoryAddress, statusWords } from './vendor-words.ts'

const samba: VendorStatement = {
  cve: 'CVE-2025-0001',
  vendor: 'Red Hat',
  product: 'Red Hat Enterprise Linux 9',
  packageName: 'samba',
  status: 'known_affected',
  justification: null,
  remedy: null,
  fixedIn: null,
  advisory: null,
  impact: null,
  statedAt: null,
  address: 'https://access.redhat.com/security/cve/CVE-2025-0001',
}

describe('what a vendor says', () => {
  it.each<[Partial<VendorStatement>, string]>([
    [{}, 'Affected'],
    [{ remedy: 'Affected' }, 'Affected'],
    [{ remedy: 'Will not fix' }, 'Affected: will not fix'],
    [{ status: 'under_investigation' }, 'Under investigation'],
    [{ status: 'fixed' }, 'Fixed'],
    [{ status: 'fixed', fixedIn: '4.18.6-1.el9' }, 'Fixed in 4.18.6-1.el9'],
    [{ status: 'known_not_affected' }, 'Not affected'],
    [
      { status: 'known_not_affected', justification: 'vulnerable_code_not_present' },
      'Not affected: the vulnerable code is not present',
    ],
    [{ status: 'known_not_affected', justification: 'something_new' }, 'Not affected: something new'],
  ])('%j is "%s"', (parts, words) => {
    expect(statusWords({ ...samba, ...parts })).toBe(words)
  })

  it('links an advisory', () => {
    expect(advisoryAddress('RHSA-2025:0001')).toBe('https://access.redhat.com/errata/RHSA-2025%3A0001')
  })
})
