import { testCves, type CveCase } from './cve-record-scene.ts'

/** Ranges that CNAs write in one text, for a package, for a product by CPE, and for one in words: never certain, and nothing they may mean looks clean. */

const texts: [what: string, version: Record<string, string>, at: string, answer: 'possible' | '-'][] = [
  ['a hyphen between two', { version: '1.0.0-1.5.0' }, '1.2.0', 'possible'],
  ['behind a hyphen between two', { version: '1.0.0-1.5.0' }, '1.6.0', '-'],
  ['a hyphen in a list', { version: '0.9.0, 1.0.0-1.5.0' }, '1.2.0', 'possible'],
  ['a hyphen before a revision', { version: '1.2.3-4' }, '1.2.4', '-'],
  ['a hyphen before a prerelease', { version: '1.2.3-rc1' }, '1.2.2', '-'],
  ['full stops between two', { version: '1.0.0..1.5.0' }, '1.2.0', 'possible'],
  ['behind full stops between two', { version: '1.0.0..1.5.0' }, '1.6.0', '-'],
  ['a dash between two', { version: '1.0.0–1.5.0' }, '1.2.0', 'possible'],
  ['before a fix', { version: 'Fixed in 2.0.0' }, '1.0.0', 'possible'],
  ['that fix', { version: 'patched in version 2.0.0' }, '2.0.0', '-'],
  ['a line up to its service pack', { version: 'V2.1 SP3 and earlier' }, '2.1.5', 'possible'],
  ['behind that line', { version: 'V2.1 SP3 and earlier' }, '2.2.0', '-'],
  ['a sign before a service pack', { version: 'All versions < V2.1 SP3' }, '2.1.5', 'possible'],
  ['behind a sign before a service pack', { version: 'All versions < V2.1 SP3' }, '2.2.0', '-'],
  ['a service pack as the end', { version: '0', lessThan: 'V2.1 SP3 Update 2' }, '2.1.5', 'possible'],
  ['behind that end', { version: '0', lessThan: 'V2.1 SP3 Update 2' }, '2.2.0', '-'],
  ['a service pack as the start', { version: '2.1 SP3', lessThan: '3.0.0' }, '2.1.0', 'possible'],
  ['before that start', { version: '2.1 SP3', lessThan: '3.0.0' }, '2.0.9', '-'],
  ['a build', { version: '2.4.0 build 100' }, '2.4.0', 'possible'],
  ['another version than that of a build', { version: '2.4.0 build 100' }, '2.5.0', '-'],
  ['all versions', { version: 'All versions' }, '1.0.0', 'possible'],
  ['every version, in other words', { version: 'all released firmware versions' }, '1.0.0', 'possible'],
  ['two service packs with a hyphen', { version: '1.0 SP1-1.5 SP2' }, '1.4.0', 'possible'],
  ['behind two service packs with a hyphen', { version: '1.0 SP1-1.5 SP2' }, '1.6.0', '-'],
  ['a short update as the end', { version: '7.0', lessThan: '7.0 U3q' }, '7.0.3', 'possible'],
  ['behind the line of a short update', { version: '7.0', lessThan: '7.0 U3q' }, '8.0.0', '-'],
  ['what comes next', { version: 'next of 2.1 SP1' }, '2.1.5', 'possible'],
  ['an end before its start', { version: '3.0.0 to 2.0.0' }, '1.5.0', 'possible'],
  ['behind an end before its start', { version: '3.0.0 to 2.0.0' }, '2.5.0', '-'],
  ['full stops that may be a slip', { version: '1.0..3' }, '2.0.0', 'possible'],
  ['a full version before a service pack', { version: '2.1.0 SP3 and prior' }, '2.2.0', '-'],
]

const cases = texts.flatMap(([what, version, at, answer], index): CveCase[] => {
  const versions = [{ status: 'affected', versionType: 'semver', ...version }]
  const [npm, product, named] = [`pump-${index}`, `pump_${index}`, `words_${index}`]
  const cpe = (name: string, of: string) => `cpe:2.3:a:acme:${name}:${of}:*:*:*:*:*:*:*`
  return [
    [`${what}, a package`, { packageURL: `pkg:npm/${npm}`, versions }, `pkg:npm/${npm}@${at}`, answer],
    [`${what}, by CPE`, { cpes: [cpe(product, '*')], versions }, { cpe: cpe(product, at) }, answer],
    [`${what}, in words`, { vendor: 'Acme', product: named, versions }, { cpe: cpe(named, at) }, answer],
  ]
})

cases.push(
  [
    'a full stop typed twice',
    {
      vendor: 'Acme',
      product: 'slip',
      cpes: ['cpe:2.3:a:acme:slip:*:*:*:*:*:*:*:*'],
      versions: [{ version: '6..2', status: 'affected' }],
    },
    { cpe: 'cpe:2.3:a:acme:slip:6.2:*:*:*:*:*:*:*' },
    'exact',
  ],
  // what is not affected is never read in a wider sense
  ...['1.0.0-1.5.0', 'V1.2 SP3 and earlier', 'Fixed in 2.0.0'].map((version, index): CveCase => {
    const versions = [
      { version, status: 'unaffected' },
      { version: '0', lessThan: '2.0.0', status: 'affected', versionType: 'semver' },
    ]
    const name = `good-${index}`
    return [
      `beside ${version}, which is good`,
      { packageURL: `pkg:npm/${name}`, versions },
      `pkg:npm/${name}@1.2.4`,
      'exact',
    ]
  }),
  [
    'every version from the first on, in words',
    { vendor: 'Acme', product: 'endless', versions: [{ version: '0', lessThan: '*', status: 'affected' }] },
    { cpe: 'cpe:2.3:a:acme:endless:1.0:*:*:*:*:*:*:*' },
    'possible',
  ],
)

testCves(cases)
