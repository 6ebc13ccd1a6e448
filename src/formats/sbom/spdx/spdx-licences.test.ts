import { expect, it } from 'vitest'
import { readSpdxOf } from '../sample-documents.ts'

/** Licences that the document names itself (SPDX 2.3, clause 10). */

const infos = [
  { licenseId: 'LicenseRef-1', extractedText: '…', name: ' Acme Licence ' },
  { licenseId: 'LicenseRef-1', extractedText: '…', name: 'said again' },
  { licenseId: 'LicenseRef-12', extractedText: '…', name: 'Twelve' },
  { licenseId: 'LicenseRef-none', extractedText: '…', name: 'NOASSERTION' },
  { licenseId: 'LicenseRef-text', extractedText: '…' },
  { licenseId: 7, name: 'Seven' },
  { licenseId: 'MIT', name: 'mine' },
]

it.each([
  ['LicenseRef-1', 'Acme Licence'],
  ['LicenseRef-12', 'Twelve'],
  ['LicenseRef-1.2', 'LicenseRef-1.2'],
  ['(LicenseRef-1 OR MIT) AND LicenseRef-12', '(Acme Licence OR MIT) AND Twelve'],
  ['LicenseRef-12+', 'Twelve+'],
  ['LicenseRef-none', 'LicenseRef-none'],
  ['LicenseRef-text', 'LicenseRef-text'],
  ['LicenseRef-3', 'LicenseRef-3'],
  ['DocumentRef-other:LicenseRef-1', 'DocumentRef-other:LicenseRef-1'],
  ['MIT', 'MIT'],
])('%s is shown as %s', (licenseConcluded, expected) => {
  const document = readSpdxOf({
    hasExtractedLicensingInfos: infos,
    packages: [{ SPDXID: 'SPDXRef-a', name: 'a', licenseConcluded }],
  })
  expect(document.components[0]?.licence).toBe(expected)
})

it.each([[null], ['x'], [[1, null]]])('%j names no licence', (hasExtractedLicensingInfos) => {
  const packages = [{ SPDXID: 'SPDXRef-a', name: 'a', licenseDeclared: 'LicenseRef-1' }]
  expect(readSpdxOf({ hasExtractedLicensingInfos, packages }).components[0]?.licence).toBe('LicenseRef-1')
})
