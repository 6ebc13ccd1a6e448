const record = (fields: Record<string, unknown>) =>
  JSON.stringify({ schema_version: '1.6.0', modified: '2024-01-01T00:00:00Z', ...fields })

const affected = (ecosystem: string, name: string, fixed: string) => [
  {
    package: { ecosystem, name },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
  },
]

/** The registry says: fixed in 2.31. Debian keeps the version and patches it. */
export const distributionRecords = [
  record({
    id: 'GHSA-j8r2-6x86-q33q',
    aliases: ['CVE-2023-32681'],
    summary: 'Requests sends proxy credentials to the server it was redirected to',
    affected: affected('PyPI', 'requests', '2.31.0'),
  }),
  record({
    id: 'DEBIAN-CVE-2023-32681',
    upstream: ['CVE-2023-32681'],
    affected: affected('Debian:11', 'requests', '2.25.1+dfsg-2+deb11u1'),
  }),
].join('\n')

const part = (id: string, name: string, versionInfo: string, purl: string) => ({
  SPDXID: `SPDXRef-${id}`,
  name,
  versionInfo,
  externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
})

/** As written by Syft: the Debian package owns the files of the Python package. */
export const imageSbom = JSON.stringify({
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'image',
  documentNamespace: 'https://acme.example/image',
  creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: syft-1.0.0'] },
  packages: [
    part(
      'deb',
      'python3-requests',
      '2.25.1+dfsg-2+deb11u1',
      'pkg:deb/debian/python3-requests@2.25.1%2Bdfsg-2%2Bdeb11u1?upstream=requests&distro=debian-11',
    ),
    part('pypi', 'requests', '2.25.1', 'pkg:pypi/requests@2.25.1'),
  ],
  relationships: [
    { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-deb' },
    {
      spdxElementId: 'SPDXRef-deb',
      relationshipType: 'OTHER',
      relatedSpdxElement: 'SPDXRef-pypi',
      comment:
        'ownership-by-file-overlap: indicates that the parent package claims ownership of a child package since the parent metadata indicates overlap with a location that a cataloger found the child package by',
    },
  ],
})
