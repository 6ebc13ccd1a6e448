import { expect, test } from 'vitest'
import { placeWords } from './place-words.ts'

const drafted = [
  { cve: 'CVE-2026-7001', ids: [] },
  { cve: ' ', ids: [{ system: 'GitHub', text: 'GHSA-1111-2222-3333' }] },
  { cve: '', ids: [] },
]

test.each([
  ['vulnerabilities.0.remediations', 'CVE-2026-7001, remediations'],
  ['vulnerabilities.1.statuses.4.justification', 'GHSA-1111-2222-3333, statuses.4.justification'],
  ['vulnerabilities.2', 'Vulnerability 3'],
  ['vulnerabilities.3.cve', 'vulnerabilities.3.cve'],
  ['vulnerabilities', 'vulnerabilities'],
  ['products.0.purl', 'products.0.purl'],
])('%s is told as %s', (field, words) => {
  expect(placeWords(field, drafted)).toBe(words)
})
