import { testCves, type CveCase } from './cve-record-scene.ts'

/** CVE records that do not say which versions are affected, or say it of commits or dates: no component of theirs may look clean, and none is an exact match. */

type Versions = { versions?: object[]; defaultStatus?: string }
const affected = (version: object) => ({ status: 'affected', ...version })
const only = (version: object): Versions => ({ versions: [affected(version)] })
const fix = { version: '2.0.0', status: 'unaffected' }
const commit = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
const fixing = 'ffeeddccbbaa99887766554433221100ffeeddcc'

/** The answers for a package of npm and for a CPE. */
const said: [what: string, says: Versions, at: string, byPackage: string, byCpe: string][] = [
  ['0 alone', only({ version: '0' }), '1.5.0', 'possible', 'possible'],
  ['0 alone, semver', only({ version: '0', versionType: 'semver' }), '1.5.0', 'possible', 'possible'],
  ['0 and a fix', { versions: [affected({ version: '0' }), fix] }, '1.5.0', 'possible', 'possible'],
  ['0 and that fix', { versions: [affected({ version: '0' }), fix] }, '2.0.0', '-', '-'],
  [
    '0 and a change',
    only({ version: '0', changes: [{ at: '2.0.0', status: 'unaffected' }] }),
    '1.5.0',
    'possible',
    'possible',
  ],
  [
    '0 and that change',
    only({ version: '0', changes: [{ at: '2.0.0', status: 'unaffected' }] }),
    '2.0.0',
    '-',
    '-',
  ],
  [
    'a version and a change',
    only({ version: '1.0.0', changes: [{ at: '2.0.0', status: 'unaffected' }] }),
    '1.5.0',
    'possible',
    'possible',
  ],
  [
    'before a version and a change',
    only({ version: '1.0.0', changes: [{ at: '2.0.0', status: 'unaffected' }] }),
    '0.9.0',
    '-',
    '-',
  ],
  ['n/a', only({ version: 'n/a' }), '1.5.0', 'possible', 'possible'],
  ['n/a and a fix', { versions: [affected({ version: 'n/a' }), fix] }, '2.0.0', '-', '-'],
  ['unspecified', only({ version: 'unspecified' }), '1.5.0', 'possible', 'possible'],
  ['a star', only({ version: '*' }), '1.5.0', 'possible', 'possible'],
  ['an empty version', only({ version: '' }), '1.5.0', 'possible', 'possible'],
  ['no version in an entry', only({}), '1.5.0', 'possible', 'possible'],
  ['words', only({ version: 'see references' }), '1.5.0', 'possible', 'possible'],
  ['the latest', only({ version: 'latest' }), '1.5.0', 'possible', 'possible'],
  ['a branch', only({ version: 'main' }), '1.5.0', 'possible', 'possible'],
  ['a version and words', only({ version: '1.5.0 (all builds)' }), '1.5.0', 'possible', 'possible'],
  [
    'a branch beside a version',
    { versions: [affected({ version: 'main' }), affected({ version: '1.0.0' })] },
    '1.5.0',
    '-',
    '-',
  ],
  ['the word version', only({ version: 'Version 1.5.0' }), '1.5.0', 'exact', 'exact'],
  ['the word version, another', only({ version: 'Version 1.5.0' }), '1.5.1', '-', '-'],
  ['a range of npm', only({ version: '~1.5.0' }), '1.5.3', 'possible', 'possible'],
  ['no versions', {}, '1.5.0', 'possible', 'possible'],
  ['an empty list', { versions: [] }, '1.5.0', 'possible', 'possible'],
  ['unaffected by default', { defaultStatus: 'unaffected' }, '1.5.0', '-', '-'],
  ['unknown by default', { defaultStatus: 'unknown' }, '1.5.0', '-', '-'],
  [
    'commits',
    only({ version: commit, lessThan: fixing, versionType: 'git' }),
    '1.5.0',
    'possible',
    'possible',
  ],
  [
    'commits from the first',
    only({ version: '0', lessThan: fixing, versionType: 'git' }),
    '1.5.0',
    'possible',
    'possible',
  ],
  [
    'commits by default',
    {
      defaultStatus: 'affected',
      versions: [{ version: fixing, lessThan: '*', versionType: 'git', status: 'unaffected' }],
    },
    '1.5.0',
    'possible',
    'possible',
  ],
  [
    'commits that are not affected',
    { versions: [{ version: commit, versionType: 'git', status: 'unaffected' }] },
    '1.5.0',
    '-',
    '-',
  ],
  [
    'commits beside versions',
    {
      versions: [
        affected({ version: commit, lessThan: fixing, versionType: 'git' }),
        affected({ version: '1.0.0', lessThan: '2.0.0', versionType: 'semver' }),
      ],
    },
    '2.0.0',
    '-',
    '-',
  ],
  [
    'tags called git',
    only({ version: '1.0.0', lessThan: '2.0.0', versionType: 'git' }),
    '1.5.0',
    'possible',
    'possible',
  ],
]

const cpe = (name: string, version: string) => ({ cpe: `cpe:2.3:a:acme:${name}:${version}:*:*:*:*:*:*:*` })
const cases: CveCase[] = said.flatMap(([what, says, at, byPackage, byCpe], index): CveCase[] => [
  [
    `${what}, a package`,
    { packageURL: `pkg:npm/p-${index}`, ...says },
    `pkg:npm/p-${index}@${at}`,
    byPackage,
  ],
  [`${what}, by CPE`, { cpes: [cpe(`p${index}`, '*').cpe], ...says }, cpe(`p${index}`, at), byCpe],
])

const dates = only({ version: '0', lessThan: '2024-06-01', versionType: 'date' })
const compact = only({ version: '20240101', lessThan: '20240601', versionType: 'date' })
const byDate: [what: string, says: Versions, at: string, answer: string][] = [
  ['a date', dates, '2024-05-01', 'exact'],
  ['the fixed date', dates, '2024-06-01', '-'],
  ['a number beside dates', dates, '7.2', 'possible'],
  ['a compact date beside others', dates, '20240501', 'possible'],
  ['a compact date', compact, '20240501', 'exact'],
  ['a compact date before', compact, '20231231', '-'],
  ['a number beside compact dates', compact, '7.2', 'possible'],
]
cases.push(
  ...byDate.map(([what, says, at, answer], index): CveCase => [
    what,
    { cpes: [cpe(`d${index}`, '*').cpe], ...says },
    cpe(`d${index}`, at),
    answer,
  ]),
  [
    'commits in one entry, versions in another',
    {
      containers: {
        cna: {
          providerMetadata: { shortName: 'acme' },
          affected: [
            { packageURL: 'pkg:npm/two', ...only({ version: commit, versionType: 'git' }) },
            {
              packageURL: 'pkg:npm/two',
              ...only({ version: '1.0.0', lessThan: '2.0.0', versionType: 'semver' }),
            },
          ],
        },
      },
    },
    'pkg:npm/two@2.0.0',
    '-',
  ],
  [
    'no version by CISA, versions by the CNA under another name',
    {
      containers: {
        cna: {
          providerMetadata: { shortName: 'acme' },
          affected: [{ cpes: [cpe('own', '*').cpe], ...only({ version: '1.0.0', lessThan: '2.0.0' }) }],
        },
        adp: [
          {
            providerMetadata: { shortName: 'CISA-ADP' },
            affected: [{ cpes: [cpe('other', '*').cpe], ...only({ version: 'n/a' }) }],
          },
        ],
      },
    },
    cpe('own', '1.5.0'),
    'exact',
  ],
  ...(
    [
      ['a version in the name alone', '8u401', 'exact'],
      ['another than in the name', '8u402', '-'],
    ] as const
  ).map(([what, version, answer], index): CveCase => {
    const cpes = [cpe(`java${index}`, '8u401').cpe]
    return [what, { cpes, ...only({ version: 'Acme Java:8u401' }) }, cpe(`java${index}`, version), answer]
  }),
  [
    'words without a version',
    { vendor: 'Acme', product: 'unheard', ...only({ version: 'n/a' }) },
    cpe('unheard', '1.5.0'),
    '-',
  ],
  // dates for packages
  ...(
    [
      ['npm beside dates', 'pkg:npm/t1', 'pkg:npm/t1@1.0.0', 'possible'],
      ['PyPI beside dates', 'pkg:pypi/t2', 'pkg:pypi/t2@1.0.0', 'possible'],
      ['Maven beside dates', 'pkg:maven/org.acme/t3', 'pkg:maven/org.acme/t3@1.0.0', 'possible'],
      ['a date of PyPI', 'pkg:pypi/t4', 'pkg:pypi/t4@2024.2.2', 'possible'],
      ['a later date of PyPI', 'pkg:pypi/t5', 'pkg:pypi/t5@2024.7.4', '-'],
    ] as const
  ).map(([what, packageURL, component, answer]): CveCase => {
    const versions = only({ version: '2024.1.1', lessThan: '2024.6.1', versionType: 'date' })
    return [what, { packageURL, ...versions }, component, answer]
  }),
  [
    'a package of a module of Go',
    {
      vendor: 'github.com/acme/gopump',
      product: 'github.com/acme/gopump/cmd/pump',
      collectionURL: 'https://pkg.go.dev',
      packageName: 'github.com/acme/gopump/cmd/pump',
      ...only({ version: '0', lessThan: '1.2.3', versionType: 'semver' }),
    },
    'pkg:golang/github.com/acme/gopump@v1.2.2',
    'exact',
  ],
  [
    'a package of Go’s own modules by purl',
    {
      packageURL: 'pkg:golang/golang.org/x/crypto/ssh',
      ...only({ version: '0', lessThan: '0.31.0', versionType: 'semver' }),
    },
    'pkg:golang/golang.org/x/crypto@v0.30.0',
    'exact',
  ],
  // registries
  ...(
    [
      [
        'a private registry',
        'pkg:npm/r1?repository_url=https://npm.acme.example',
        'pkg:npm/r1@1.0.0',
        'possible',
      ],
      ['the public one', 'pkg:npm/r2?repository_url=https://registry.npmjs.org', 'pkg:npm/r2@1.0.0', 'exact'],
      [
        'a private registry on both sides',
        'pkg:pypi/r3?repository_url=https://pypi.acme.example',
        'pkg:pypi/r3@1.0.0?repository_url=https://pypi.acme.example',
        'possible',
      ],
      [
        'a repository of Maven',
        'pkg:maven/org.acme/r4?repository_url=https://repo.jenkins-ci.org/releases',
        'pkg:maven/org.acme/r4@1.0.0',
        'exact',
      ],
    ] as const
  ).map(([what, packageURL, component, answer]): CveCase => {
    const versionType = packageURL.includes('maven') ? 'maven' : 'semver'
    return [
      what,
      { packageURL, ...only({ version: '0', lessThan: '2.0.0', versionType }) },
      component,
      answer,
    ]
  }),
)

testCves(cases)
