import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeOf, expectSound, outcome } from '../../../test/support/read-outcome.ts'

const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  version: 1,
  metadata: {
    timestamp: '2024-01-02T03:04:05Z',
    tools: [{ name: 'tool', version: '1' }],
    component: {
      'bom-ref': 'p',
      type: 'application',
      name: 'product',
      version: '1',
      components: [{ type: 'library', name: 'part' }],
    },
  },
  components: [
    {
      'bom-ref': 'a',
      type: 'library',
      name: 'a',
      version: '1',
      purl: 'pkg:npm/a@1',
      hashes: [{ alg: 'MD5', content: 'd41d8cd98f00b204e9800998ecf8427e' }],
      licenses: [{ license: { id: 'MIT' } }],
      properties: [{ name: 'aquasecurity:trivy:SrcName', value: 'b' }],
    },
    { 'bom-ref': 'os', type: 'operating-system', name: 'debian', version: '12' },
  ],
  services: [{ 'bom-ref': 's', name: 'service' }],
  dependencies: [{ ref: 'p', dependsOn: ['a', 's'] }],
  vulnerabilities: [{ id: 'CVE-1', affects: [{ ref: 'a', versions: [] }], analysis: { state: 'in_triage' } }],
}
const spdx = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'document',
  documentNamespace: 'https://example.com/1',
  creationInfo: { created: '2024-01-02T03:04:05Z', creators: ['Tool: tool-1'] },
  documentDescribes: ['a'],
  packages: [
    {
      SPDXID: 'a',
      name: 'a',
      versionInfo: '1',
      supplier: 'Organization: Example',
      checksums: [{ algorithm: 'SHA1', checksumValue: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
      externalRefs: [
        { referenceCategory: 'SECURITY', referenceType: 'purl', referenceLocator: 'pkg:npm/a@1' },
      ],
      sourceInfo: 'built package from: b 1',
    },
    { SPDXID: 'b', name: 'b', primaryPackagePurpose: 'OPERATING-SYSTEM' },
  ],
  files: [{ SPDXID: 'f' }],
  relationships: [{ spdxElementId: 'a', relationshipType: 'CONTAINS', relatedSpdxElement: 'b' }],
}

/** Replaces, removes or repeats one value at a time, wherever `path` leads. */
function mutate(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return replacement
  const entries: [string, unknown][] = Object.entries(value)
  const chosen = entries[step % Math.max(entries.length, 1)]
  if (!chosen) return replacement
  const [key, inner] = chosen
  const changed = mutate(inner, rest, replacement)
  if (Array.isArray(value))
    return value.flatMap((entry: unknown, index) => (String(index) === key ? [changed, changed] : [entry]))
  return { ...value, [key]: changed }
}

describe('any document', () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      '',
      null,
      0,
      [],
      {},
      '\u0000',
      '\ud800',
      '__proto__',
      'constructor',
      { __proto__: null },
      [[]],
      'a',
      'p',
    ),
  )
  const changes = fc.array(fc.tuple(fc.array(fc.nat(9), { maxLength: 6 }), values), {
    minLength: 1,
    maxLength: 4,
  })

  it.each([
    ['CycloneDX', cyclonedx],
    ['SPDX', spdx],
    ['SPDX in its first wrapper', { Document: { ...spdx, spdxVersion: 'SPDX-2.2' } }],
  ])('%s with changed values is read or refused with a code of the public interface', (_name, sample) => {
    expect(codeOf(outcome(JSON.stringify(sample)))).toBe('read')
    fc.assert(
      fc.property(changes, (list) => {
        const changed = list.reduce<unknown>(
          (value, [path, replacement]) => mutate(value, path, replacement),
          sample,
        )
        expectSound(outcome(JSON.stringify(changed)))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['CycloneDX', cyclonedx],
    ['SPDX', spdx],
  ])('%s with changed bytes is read or refused with a code of the public interface', (_name, sample) => {
    const bytes = Buffer.from(JSON.stringify(sample))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        (changed) => {
          const body = Uint8Array.from(bytes)
          for (const [at, byte] of changed) body[at] = byte
          expectSound(outcome(body))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
