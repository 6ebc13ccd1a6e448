import { exampleBase, exampleId, refused, type PublicExample } from '../../../docs-site/examples/example.ts'
import { sbomReceipt } from '../upload-examples.ts'

export const examples: readonly PublicExample[] = [
  {
    name: 'matched',
    summary: 'One critical, exploited vulnerability in two components',
    request: { query: '?wait=30' },
    answer: {
      status: 200,
      body: {
        ...sbomReceipt,
        status: 'matched',
        matches: {
          total: 1,
          bySeverity: { critical: 1, high: 0, medium: 0, low: 0, none: 0, unknown: 0 },
          byGrade: { exact: 1, possible: 0 },
          exploited: 1,
          malware: 0,
          notAffected: 0,
          coverage: {
            covered: 2,
            notCovered: 0,
            noVersion: 0,
            uncomparable: 0,
            releaseUnknown: 0,
            dataNotLoaded: 0,
            noSource: 0,
            sourceUnknown: 0,
          },
        },
        data: {
          stale: 1,
          sources: [
            {
              name: 'kev',
              label: 'CISA KEV',
              brings: 'exploited',
              state: 'current',
              components: null,
              lastSuccessAt: '2026-05-04T10:00:00.000Z',
              failingSince: null,
            },
            {
              name: 'osv:Maven',
              label: 'OSV: Maven',
              brings: 'records',
              state: 'failing',
              components: 1,
              lastSuccessAt: '2026-05-03T22:45:00.000Z',
              failingSince: '2026-05-03T23:00:00.000Z',
            },
            {
              name: 'osv:npm',
              label: 'OSV: npm',
              brings: 'records',
              state: 'current',
              components: 1,
              lastSuccessAt: '2026-05-04T10:00:00.000Z',
              failingSince: null,
            },
          ],
        },
        worst: [
          {
            id: 'CVE-2021-44228',
            severity: 'critical',
            grade: 'exact',
            malware: false,
            exploited: true,
            component: {
              name: 'log4j-core',
              version: '2.14.1',
              purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
            },
            fixedIn: '2.15.0',
            url: `${exampleBase}/app/acme/findings/${exampleId}`,
          },
        ],
      },
    },
  },
  refused('invalid_request', { fields: { wait: 'Expected whole seconds from 0 to 30.' } }),
  refused('unauthorized'),
  refused('family_not_found'),
  refused('rate_limited'),
  refused('not_found'),
]
