/** As the browser's file input takes it. */
export const file = (name: string, document: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
})

/** One statement about Log4j, one about a component no product has, and one without a product. */
export const openVex = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://acme.example/vex/2026-1',
  author: 'Acme product security',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2021-44228' },
      products: [{ '@id': 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact_statement: 'The controller writes its log through a fixed pattern without lookups.',
    },
    {
      vulnerability: { name: 'CVE-2020-8203' },
      products: [{ '@id': 'pkg:npm/elsewhere@1.0.0' }],
      status: 'under_investigation',
    },
    {
      vulnerability: { name: 'CVE-2019-10744' },
      products: [{ '@id': 'https://acme.example/products/pump' }],
      status: 'fixed',
    },
  ],
}

/** As from a scanner: no verdict, and a vulnerability unknown to our records. */
export const scannerReport = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { tools: { components: [{ type: 'application', name: 'some-scanner' }] } },
  components: [
    { type: 'library', 'bom-ref': 'x', name: 'express', version: '4.19.2', purl: 'pkg:npm/express@4.19.2' },
  ],
  vulnerabilities: [{ id: 'CVE-2024-99999', affects: [{ ref: 'x' }] }],
}

/** A Dependency-Track export of a project without a purl: one statement about the project, which cannot be identified. */
export const projectExport = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': 'project-1', name: 'pump-controller', version: '2.4.1' },
  },
  vulnerabilities: [
    { id: 'CVE-2021-23337', analysis: { state: 'not_affected' }, affects: [{ ref: 'project-1' }] },
  ],
}

/** Libwebp is exploited too, like Log4j, but declared not affected. */
export const libwebpVex = JSON.stringify({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://acme.example/vex/libwebp',
  author: 'Acme product security',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2023-4863' },
      products: [{ '@id': 'pkg:deb/debian/libwebp7@1.2.4-0.1?arch=arm64&distro=debian-12&upstream=libwebp' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact_statement: 'The controller opens no pictures.',
    },
  ],
})
