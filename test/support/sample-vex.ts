type SampleOptions = {
  statements?: number
  status?: 'not_affected' | 'affected' | 'fixed' | 'under_investigation'
  /** Further fields of the document. */
  fields?: Record<string, unknown>
}

/** An OpenVEX document about the components of `sampleSbom`; distinct serials have distinct bytes. */
export function sampleVex(
  serial: number,
  { statements = 1, status = 'not_affected', fields = {} }: SampleOptions = {},
): Buffer {
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://example.com/vex/${serial}`,
    author: 'Example',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: Array.from({ length: statements }, (_, number) => ({
      vulnerability: {
        name: `CVE-2026-${10_000 + number}`,
        aliases: [`ghsa-AAAA-bbbb-${1_000 + (number % 9_000)}`],
      },
      products: [{ '@id': `pkg:npm/sample-${number}` }],
      status,
      justification: 'component_not_present',
    })),
    ...fields,
  }
  return Buffer.from(JSON.stringify(document))
}
