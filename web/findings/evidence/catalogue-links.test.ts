import { expect, test } from 'vitest'
import { catalogueLinks } from './catalogue-links.ts'

test.each([
  [
    { catalogue: 'kev', id: 'CVE-2021-44228' },
    [
      'https://www.cve.org/CVERecord?id=CVE-2021-44228',
      'https://nvd.nist.gov/vuln/detail/CVE-2021-44228',
      'https://www.cisa.gov/known-exploited-vulnerabilities-catalog?search_api_fulltext=CVE-2021-44228',
    ],
  ],
  [{ catalogue: 'euvd', id: 'EUVD-2025-1' }, ['https://euvd.enisa.europa.eu/search?text=EUVD-2025-1']],
] as const)('%j leads to %j', (entry, addresses) => {
  expect(catalogueLinks(entry).map(({ address }) => address)).toEqual(addresses)
})
