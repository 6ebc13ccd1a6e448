let serial = 30_000

/** A CycloneDX document of one component, different each time. */
export function cycloneDx(component: Record<string, unknown>): object {
  serial += 1
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:c0b7d854-e37b-41ba-90e1-0000000${serial}`,
    components: [{ type: 'library', name: 'x', ...component }],
  }
}

/** The same in SPDX. */
export function spdx(fields: Record<string, unknown>): object {
  serial += 1
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'product',
    documentNamespace: `https://example.com/spdx/${serial}`,
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: tool-1'] },
    packages: [{ SPDXID: 'SPDXRef-a', name: 'x', downloadLocation: 'NOASSERTION', ...fields }],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-a' },
    ],
  }
}
