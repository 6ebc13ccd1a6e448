const text =
  'The HTTP/2 protocol allows a denial of service (server resource consumption) because request cancellation can reset many streams quickly, as exploited in the wild in August through October 2023.'

/** CVE-2023-44487 as in the sources: one record for each of many packages, all with the same paragraph, and a few others. */
export const rapidReset = {
  id: 'CVE-2023-44487',
  text,
  records: [
    ...['apisix', 'contour', 'dotnet', 'envoy', 'golang', 'jenkins', 'kong', 'nginx', 'node', 'solr'].map(
      (name, at) => ({
        id: `BIT-${name}-2023-44487`,
        summary: text,
        affected: [
          {
            package: { ecosystem: 'Bitnami', name },
            ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: `1.${at}.1` }] }],
          },
        ],
      }),
    ),
    {
      id: 'GO-2023-2102',
      summary: 'HTTP/2 rapid reset can cause excessive work in net/http',
      affected: [
        {
          package: { ecosystem: 'Go', name: 'golang.org/x/net' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '0.17.0' }] }],
        },
      ],
    },
  ]
    .map((record) =>
      JSON.stringify({
        schema_version: '1.6.0',
        modified: '2024-01-01T00:00:00Z',
        aliases: ['CVE-2023-44487'],
        ...record,
      }),
    )
    .join('\n'),
}
