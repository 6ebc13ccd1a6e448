import { describe, expect, it } from 'vitest'
import { recogniseSbom } from './recognise.ts'

describe('accepted formats', () => {
  it.each([
    [{ bomFormat: 'CycloneDX', specVersion: '1.4' }, 'cyclonedx', '1.4'],
    [{ bomFormat: 'CycloneDX', specVersion: '1.5' }, 'cyclonedx', '1.5'],
    [{ bomFormat: 'CycloneDX', specVersion: '1.6' }, 'cyclonedx', '1.6'],
    [{ bomFormat: 'CycloneDX', specVersion: '1.7' }, 'cyclonedx', '1.7'],
    [{ spdxVersion: 'SPDX-2.2' }, 'spdx', '2.2'],
    [{ spdxVersion: 'SPDX-2.3' }, 'spdx', '2.3'],
    [{ Document: { spdxVersion: 'SPDX-2.2' } }, 'spdx', '2.2'],
  ])('%j', (value, format, specVersion) => {
    expect(recogniseSbom(value)).toMatchObject({ format, specVersion })
  })
})

describe('other documents are named in the refusal', () => {
  it.each([
    [[], 'a JSON array'],
    ['text', 'a JSON string'],
    ['', 'a JSON empty string'],
    [1, 'a JSON number'],
    [true, 'a JSON boolean'],
    [null, 'JSON null'],
    [{}, 'an empty JSON object'],
    [{ a: 1, 'b\u0000': 2 }, 'a JSON object with "a", "b"'],
    [{ a: 1, b: 2, c: 3, d: 4 }, 'a JSON object with "a", "b", "c", …'],
    [{ bomFormat: 'CycloneDX', specVersion: '1.3' }, 'CycloneDX 1.3'],
    [{ bomFormat: 'CycloneDX', specVersion: '1.40' }, 'CycloneDX 1.40'],
    [{ bomFormat: 'CycloneDX', specVersion: 1.4 }, 'CycloneDX with a number as its specVersion'],
    [{ bomFormat: 'CycloneDX', specVersion: null }, 'CycloneDX without a specVersion'],
    [{ bomFormat: 'CycloneDX' }, 'CycloneDX without a specVersion'],
    [{ bomFormat: 'AnotherFormat', specVersion: '1.6' }, 'a JSON object with "bomFormat", "specVersion"'],
    [{ spdxVersion: 'SPDX-2.1' }, 'SPDX-2.1'],
    [{ spdxVersion: 2.3 }, 'SPDX with a number as its spdxVersion'],
    [{ sbom: { spdxVersion: 'SPDX-2.3', packages: [] } }, 'SPDX-2.3 inside of "sbom"'],
    [{ Document: { spdxVersion: 'SPDX-2.0' } }, 'SPDX-2.0'],
    [{ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] }, 'SPDX-3.0'],
    [
      { '@context': ['https://spdx.org/rdf/3.0.1/spdx-context.jsonld', { a: 'b' }], '@graph': [] },
      'SPDX-3.0',
    ],
    [{ '@context': 'https://openvex.dev/ns/v0.2.0' }, 'an OpenVEX document'],
    [{ '@context': [{}, 'https://openvex.dev/ns/v0.2.0'] }, 'an OpenVEX document'],
    [{ spdxVersion: 'SPDX-2.3\u0000' }, 'SPDX with "SPDX-2.3\\u0000" as its spdxVersion'],
    [{ bomFormat: 'CycloneDX', specVersion: '1.6\ud800' }, 'CycloneDX with "1.6\\ud800" as its specVersion'],
    [{ document: { csaf_version: '2.0' } }, 'a CSAF document'],
    [{ specFormat: 'CycloneDX', specVersion: '2.0' }, 'CycloneDX 2.0, which is not read yet'],
    [{ specFormat: 'CycloneDX' }, 'CycloneDX without a specVersion'],
    [
      { payloadType: 'application/vnd.in-toto+json', payload: 'e30=', signatures: [] },
      'a DSSE envelope of application/vnd.in-toto+json; send the document that is signed in it',
    ],
    [
      { mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json', dsseEnvelope: {} },
      'a Sigstore bundle with a DSSE envelope; send the document that is signed in it',
    ],
    [{ _type: 'https://in-toto.io/Statement/v1' }, 'an in-toto attestation'],
    [
      { artifacts: [], artifactRelationships: [], descriptor: { name: 'syft' } },
      'the JSON of Syft; have it write an SBOM (-o cyclonedx-json)',
    ],
    [
      { SchemaVersion: 2, ArtifactName: 'alpine', Results: [] },
      'a report of Trivy; have it write an SBOM (--format cyclonedx)',
    ],
    [
      { version: 0, job: {}, detector: { name: 'syft' }, manifests: {} },
      'a dependency snapshot for GitHub; send an SBOM',
    ],
    [
      { name: 'shop', lockfileVersion: 3, packages: {} },
      'a lock file of npm; send the SBOM that "npm sbom" makes of it',
    ],
    [
      { projectName: 'shop', autoCreate: true, bom: 'eyJ9' },
      'a BOM wrapped as for the API of Dependency-Track; send the BOM itself',
    ],
    [
      { project: 'c9c9539a-e381-4b36-ac52-6a7ab83b2c95', bom: 'eyJ9' },
      'a BOM wrapped as for the API of Dependency-Track; send the BOM itself',
    ],
    [{ bom: 'eyJ9' }, 'a JSON object with "bom"'],
    [{ lockfileVersion: '9.0' }, 'a JSON object with "lockfileVersion"'],
    [
      JSON.parse('{"__proto__":{"bomFormat":"CycloneDX","specVersion":"1.6"}}'),
      'a JSON object with "__proto__"',
    ],
  ])('%j', (value, detail) => {
    expect(() => recogniseSbom(value)).toThrow(
      expect.objectContaining({ code: 'unsupported_format', detail }),
    )
  })
})
