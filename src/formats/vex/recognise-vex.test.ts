import { describe, expect, it } from 'vitest'
import { csaf, cyclonedx, openvex, refusalOf } from './sample-documents.ts'

const statement = { vulnerability: 'CVE-2024-1', products: ['pkg:npm/a'], status: 'fixed' }
const head = (fields: object) => ({ document: { csaf_version: '2.0', category: 'csaf_vex', ...fields } })

describe('documents by their content', () => {
  it.each<[name: string, value: unknown, expected: string]>([
    ['an array', [], 'unsupported_vex a JSON array'],
    ['null', null, 'unsupported_vex JSON null'],
    ['a number', 1, 'unsupported_vex a JSON number'],
    ['an empty object', {}, 'unsupported_vex an empty JSON object'],
    ['SPDX', { spdxVersion: 'SPDX-2.3' }, 'unsupported_vex SPDX-2.3'],
    [
      'findings of the tracking platform',
      { version: '1.2', meta: {}, project: {}, findings: [] },
      'unsupported_vex a JSON object with "version", "meta", "project", …',
    ],
    [
      'OpenVEX in an attestation',
      { _type: 'https://in-toto.io/Statement/v1', predicate: openvex({ statements: [statement] }) },
      'unsupported_vex an in-toto attestation',
    ],
    [
      'OpenVEX in a DSSE envelope',
      { payloadType: 'application/vnd.in-toto+json', payload: 'e30=', signatures: [] },
      'unsupported_vex a DSSE envelope of application/vnd.in-toto+json; send the document that is signed in it',
    ],
    [
      'CycloneDX 2.0',
      { specFormat: 'CycloneDX', specVersion: '2.0', vulnerabilities: [] },
      'unsupported_vex CycloneDX 2.0, which is not read yet',
    ],
    ['SARIF', { $schema: 'sarif', runs: [] }, 'unsupported_vex a JSON object with "$schema", "runs"'],
    ['CycloneDX 1.3', cyclonedx({ specVersion: '1.3' }), 'unsupported_vex CycloneDX 1.3'],
    [
      'CycloneDX, a version of spaces',
      cyclonedx({ specVersion: ' ' }),
      'unsupported_vex CycloneDX with " " as its specVersion',
    ],
    [
      'CycloneDX, a version in quotes of its own',
      cyclonedx({ specVersion: '"1.6"' }),
      'unsupported_vex CycloneDX with "\\"1.6\\"" as its specVersion',
    ],
    ['CycloneDX, no version', { bomFormat: 'CycloneDX' }, 'unsupported_vex CycloneDX without a specVersion'],
    ['an SBOM', cyclonedx({ components: [] }), 'unsupported_vex CycloneDX 1.6 without vulnerabilities'],
    [
      'null is absent',
      cyclonedx({ vulnerabilities: null }),
      'unsupported_vex CycloneDX 1.6 without vulnerabilities',
    ],
    ['CycloneDX that says nothing', cyclonedx({ vulnerabilities: [] }), 'no_statements'],
    [
      'CSAF, an empty version',
      head({ csaf_version: '' }),
      'unsupported_vex CSAF "" with the category csaf_vex',
    ],
    ['CSAF 2.1', head({ csaf_version: '2.1' }), 'unsupported_vex CSAF 2.1 with the category csaf_vex'],
    [
      'a security advisory',
      head({ category: 'csaf_security_advisory' }),
      'unsupported_vex CSAF 2.0 with the category csaf_security_advisory',
    ],
    [
      'CSAF without category',
      head({ category: undefined }),
      'unsupported_vex CSAF 2.0 with the category nothing',
    ],
    [
      'CSAF with a number',
      head({ csaf_version: 2 }),
      'unsupported_vex CSAF a number with the category csaf_vex',
    ],
    [
      'CSAF with a space behind its version',
      head({ csaf_version: '2.0 ' }),
      'unsupported_vex CSAF "2.0 " with the category csaf_vex',
    ],
    ['CSAF that says nothing', csaf(), 'no_statements'],
    [
      'CSAF without verdicts',
      csaf({ vulnerabilities: [{ cve: 'CVE-2024-1', product_status: { recommended: ['a'] } }] }),
      'no_statements',
    ],
    ['OpenVEX that says nothing', openvex({ statements: [] }), 'no_statements'],
    ['OpenVEX', openvex({ statements: [statement] }), 'read'],
    [
      'OpenVEX of the first version',
      openvex({ '@context': 'https://openvex.dev/ns', statements: [statement] }),
      'read',
    ],
    [
      'OpenVEX as drafted',
      openvex({ '@context': 'https://openvex.dev/schema-ld.json', statements: [statement] }),
      'read',
    ],
    [
      'an OpenVEX to come',
      openvex({ '@context': 'https://openvex.dev/ns/v1.0.0', statements: [statement] }),
      'unsupported_vex OpenVEX 1.0.0',
    ],
    ['SPDX, an empty version', { spdxVersion: '' }, 'unsupported_vex SPDX with "" as its spdxVersion'],
    ['another context', openvex({ '@context': 'https://example.com/ns', a: 1 }), 'unsupported_vex'],
  ])('%s', (_name, value, expected) => {
    expect(refusalOf(value)).toMatch(
      expected === 'unsupported_vex'
        ? /^unsupported_vex a JSON object with/
        : new RegExp(`^${escaped(expected)}$`),
    )
  })
})

it.each(['1.4', '1.5', '1.6', '1.7'])('CycloneDX %s with vulnerabilities is read', (specVersion) => {
  expect(refusalOf(cyclonedx({ specVersion, vulnerabilities: [{ id: 'CVE-2024-1' }] }))).toBe('read')
})

it('CSAF 2.0 of the category csaf_vex is read', () => {
  const product_tree = { full_product_names: [{ product_id: 'a', name: 'a' }] }
  const vulnerabilities = [{ cve: 'CVE-2024-1', product_status: { fixed: ['a'] } }]
  expect(refusalOf({ ...head({ title: 'Pump' }), product_tree, vulnerabilities })).toBe('read')
})

function escaped(text: string): string {
  return text.replaceAll(/[$.*+?^(){}|[\]\\]/g, '\\$&')
}
