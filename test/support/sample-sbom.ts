type SampleOptions = {
  components: number
  /** Distinct samples have distinct bytes and, with `offset`, distinct components. */
  serial: number
  /** Number of the first component: equal numbers are equal components. */
  offset?: number
  version?: string
}

/** A CycloneDX 1.6 document of npm components, each with purl, licence and hash, about 400 bytes per component. */
export function sampleSbom({ components, serial, offset = 0, version = '1.0.0' }: SampleOptions): Buffer {
  const entries = Array.from({ length: components }, (_, index) => sampleComponent(offset + index))
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:00000000-0000-4000-8000-${serial.toString(16).padStart(12, '0')}`,
    version: 1,
    metadata: {
      timestamp: '2026-01-01T00:00:00Z',
      component: { type: 'application', name: 'sample', version, 'bom-ref': 'root' },
    },
    components: entries,
  }
  return Buffer.from(JSON.stringify(document))
}

export function sampleComponent(number: number): Record<string, unknown> {
  const name = `sample-${number}`
  const version = `${number % 10}.${number % 100}.${number % 7}`
  return {
    type: 'library',
    'bom-ref': `ref-${number}`,
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: number.toString(16).padStart(64, '0') }],
    description: `Component number ${number} of a generated document.`,
    externalReferences: [{ type: 'vcs', url: `https://example.com/${name}.git` }],
  }
}
