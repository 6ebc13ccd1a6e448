/** The endpoints that take documents. */
export type Target = 'sboms' | 'vex' | 'connectors/dependency-track'

/** Creates a document unique to its number. */
type Maker = (nonce: number) => Record<string, unknown>

const sboms: readonly Maker[] = [
  () => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: 'urn:uuid:1',
    metadata: {
      component: { type: 'application', name: 'pump', version: '1.0', 'bom-ref': 'root' },
      tools: { components: [{ type: 'application', name: 'syft' }] },
    },
    components: [
      {
        type: 'library',
        'bom-ref': 'a',
        name: 'a',
        version: '1',
        purl: 'pkg:npm/a@1',
        licenses: [{ license: { id: 'MIT' } }],
      },
      {
        type: 'library',
        'bom-ref': 'b',
        name: 'b',
        purl: 'pkg:deb/debian/b@1:2-3?arch=amd64&distro=debian-12',
        components: [{ type: 'file', name: 'c' }],
      },
      {
        type: 'operating-system',
        name: 'debian',
        version: '12',
        properties: [{ name: 'aquasecurity:trivy:Class', value: 'os' }],
      },
    ],
    dependencies: [{ ref: 'root', dependsOn: ['a', 'b'] }],
    vulnerabilities: [{ id: 'CVE-2024-1', affects: [{ ref: 'a' }], analysis: { state: 'not_affected' } }],
  }),
  () => ({
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'pump',
    documentNamespace: 'https://example.com/1',
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: syft-1.0'] },
    packages: [
      {
        SPDXID: 'SPDXRef-a',
        name: 'a',
        versionInfo: '1.0',
        licenseConcluded: 'MIT',
        externalRefs: [
          { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: 'pkg:pypi/a@1.0' },
        ],
        checksums: [{ algorithm: 'SHA256', checksumValue: '00' }],
      },
    ],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-a' },
    ],
  }),
]

const vexDocuments: readonly Maker[] = [
  () => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/vex/1',
    author: 'Example',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { '@id': 'https://example.com/CVE-2026-1', name: 'CVE-2026-1', aliases: ['GHSA-a'] },
        products: [
          { '@id': 'pkg:oci/pump', subcomponents: [{ '@id': 'pkg:npm/a@1' }] },
          { '@id': 'x', identifiers: { purl: 'pkg:npm/b', cpe23: 'cpe:2.3:a:b:b:1:*:*:*:*:*:*:*' } },
        ],
        status: 'not_affected',
        justification: 'component_not_present',
      },
      {
        vulnerability: 'CVE-2026-2',
        products: ['pkg:npm/a'],
        subcomponents: ['pkg:npm/c'],
        status: 'affected',
      },
    ],
  }),
  () => ({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      publisher: { name: 'Example' },
      tracking: { id: 'EX-1', current_release_date: '2026-01-01T00:00:00Z' },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Example',
          branches: [
            {
              category: 'product_version',
              name: '1',
              product: {
                product_id: 'a',
                name: 'a',
                product_identification_helper: { purl: 'pkg:npm/a@1', cpe: 'cpe:/a:b:c:1' },
              },
            },
          ],
        },
      ],
      full_product_names: [{ product_id: 'b', name: 'b' }],
      relationships: [
        {
          category: 'default_component_of',
          product_reference: 'a',
          relates_to_product_reference: 'b',
          full_product_name: { product_id: 'c', name: 'c' },
        },
      ],
      product_groups: [{ group_id: 'g', product_ids: ['a', 'b'] }],
    },
    vulnerabilities: [
      {
        cve: 'CVE-2026-1',
        ids: [{ system_name: 'x', text: 'GHSA-a' }],
        product_status: { known_not_affected: ['a', 'c'], fixed: ['b'], under_investigation: ['d'] },
        flags: [{ label: 'component_not_present', product_ids: ['a'] }],
        threats: [{ category: 'impact', details: 'none', group_ids: ['g'] }],
        remediations: [{ category: 'vendor_fix', details: 'update', product_ids: ['b'] }],
      },
    ],
  }),
  () => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
    version: 1,
    metadata: { timestamp: '2026-01-01T00:00:00Z', component: { 'bom-ref': 'root', purl: 'pkg:oci/pump' } },
    components: [{ type: 'library', name: 'a', 'bom-ref': 'a', purl: 'pkg:npm/a@1' }],
    vulnerabilities: [
      {
        id: 'CVE-2026-1',
        references: [{ id: 'GHSA-a' }],
        analysis: {
          state: 'not_affected',
          justification: 'code_not_present',
          response: ['update'],
          detail: 'x',
        },
        affects: [
          { ref: 'a', versions: [{ version: '1' }, { range: 'vers:npm/>=1|<2', status: 'unaffected' }] },
          { ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/2#pkg%3Anpm%2Fb' },
        ],
      },
      { id: 'CVE-2026-2', affects: [{ ref: 'root' }], updated: '2026-01-01T00:00:00Z' },
    ],
  }),
]

const notifications: readonly Maker[] = sboms.map((sbom) => (nonce) => ({
  notification: {
    level: 'INFORMATIONAL',
    scope: 'PORTFOLIO',
    group: 'BOM_PROCESSED',
    timestamp: '2025-11-03T14:07:21.530914',
    title: 'Bill of Materials Consumed',
    content: 'A CycloneDX BOM was processed',
    subject: {
      project: { uuid: 'x', name: 'Gr\u00fcn', version: '4.2.0', tags: 'edge,fw' },
      bom: {
        content: Buffer.from(JSON.stringify({ ...sbom(nonce), nonce })).toString('base64'),
        format: 'CycloneDX',
        specVersion: '1.6',
      },
    },
  },
}))

/** Documents that are accepted unchanged. */
export const documents: Record<Target, readonly Maker[]> = {
  sboms,
  vex: vexDocuments,
  'connectors/dependency-track': notifications,
}
