import { expect, it } from 'vitest'
import { areCpesGuessed } from './cpe-authors.ts'

it.each([
  [['syft 1.2.0'], true],
  [['syft-0.64.0'], true],
  [['Trivy 0.50', 'anchore/syft 1.0'], true],
  [['buildkit-syft-scanner'], true],
  [['Trivy 0.50'], false],
  [['CycloneDX Maven plugin 2.7'], false],
  [[], false],
])('%j guesses: %j', (tools, expected) => {
  expect(areCpesGuessed(tools)).toBe(expected)
})
