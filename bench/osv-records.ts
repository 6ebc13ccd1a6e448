/** What a generated record is made from: its number in its file, and numbers drawn for it. */
export type Draw = {
  number: number
  /** A whole number from 0 to `below`, not included. */
  below: (below: number) => number
  /** Skewed as real packages and vectors are: the first ones come up far more often. */
  often: (below: number) => number
}

export type OsvJson = Record<string, unknown>

/** The same numbers in every run (mulberry32). */
export function createDraw(seed: number, number: number): Draw {
  let state = (seed * 1_000_003 + number) | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    number,
    below: (below) => Math.floor(next() * below),
    often: (below) => Math.floor(next() ** 3 * below),
  }
}

const base31 = ['AV:NALP', 'AC:LH', 'PR:NLH', 'UI:NR', 'S:UC', 'C:HLN', 'I:HLN', 'A:HLN']
const base40 = [
  ...[
    'AV:NALP',
    'AC:LH',
    'AT:NP',
    'PR:NLH',
    'UI:NPA',
    'VC:HLN',
    'VI:HLN',
    'VA:HLN',
    'SC:NLH',
    'SI:NLH',
    'SA:NLH',
  ],
]

function vectorOf(prefix: string, metrics: string[], { often }: Draw): string {
  const parts = metrics.map((metric) => {
    const [name = '', values = ''] = metric.split(':')
    return `${name}:${values[often(values.length)] ?? ''}`
  })
  return `${prefix}/${parts.join('/')}`
}

export const cvss3 = (draw: Draw) => ({ type: 'CVSS_V3', score: vectorOf('CVSS:3.1', base31, draw) })
const cvss4 = (draw: Draw) => ({ type: 'CVSS_V4', score: vectorOf('CVSS:4.0', base40, draw) })

export const year = ({ number }: Draw) => 2015 + (number % 11)
export const cve = (draw: Draw, further = 0) => `CVE-${year(draw)}-${10_000 + draw.number + further * 40_000}`
export const version = ({ below }: Draw) => `${below(6)}.${below(30)}.${below(20)}`
/** About as long as real ones. */
const details = ({ below }: Draw) =>
  'A crafted request makes the parser read beyond its buffer and ends the process. '.repeat(2 + below(8))

export function common(id: string, draw: Draw): OsvJson {
  const month = String(1 + draw.below(12)).padStart(2, '0')
  return {
    schema_version: '1.7.0',
    id,
    published: `${year(draw)}-${month}-03T10:00:00Z`,
    modified: `2025-${month}-17T08:30:00.123456Z`,
    summary: `Out-of-bounds read number ${draw.number}`,
    details: details(draw),
    references: Array.from({ length: 2 + draw.below(4) }, (_, index) => ({
      type: index === 0 ? 'ADVISORY' : 'WEB',
      url: `https://example.com/advisories/${id}/${index}`,
    })),
  }
}

export const range = (type: string, introduced: string, fixed: string | null) => ({
  type,
  events: [{ introduced }, ...(fixed === null ? [] : [{ fixed }])],
})
const fixOf = (draw: Draw) => (draw.below(8) === 0 ? null : `6.${version(draw)}`)

function goRecord(draw: Draw): OsvJson {
  const name = `github.com/example/module-${draw.often(1_500)}`
  const ranges = Array.from({ length: 1 + draw.often(3) }, () => range('SEMVER', '0', fixOf(draw)))
  return {
    ...common(`GO-${year(draw)}-${String(draw.number).padStart(4, '0')}`, draw),
    aliases: [cve(draw), `GHSA-go22-${String(draw.number).padStart(4, '0')}-xxxx`],
    affected: [
      {
        package: { name, ecosystem: 'Go' },
        ranges,
        ecosystem_specific: { imports: [{ path: name, symbols: ['Get', 'GetBytes', 'Parse'] }] },
      },
    ],
  }
}

function cratesRecord(draw: Draw): OsvJson {
  const name = `crate-${draw.often(1_200)}`
  return {
    ...common(`RUSTSEC-${year(draw)}-${String(draw.number).padStart(4, '0')}`, draw),
    aliases: draw.below(2) === 0 ? [cve(draw)] : [],
    severity: draw.below(3) === 0 ? [cvss3(draw)] : [],
    affected: [
      {
        package: { ecosystem: 'crates.io', name, purl: `pkg:cargo/${name}` },
        ranges: [range('SEMVER', '0.0.0-0', fixOf(draw))],
        versions: [],
      },
    ],
  }
}

/** PyPI's records list every affected version beside the range. */
export function pypiRecord(draw: Draw): OsvJson {
  const name = `package-${draw.often(900)}`
  const versions = Array.from({ length: 5 + draw.often(120) }, (_, index) => `0.${index}.${draw.below(9)}`)
  return {
    ...common(`PYSEC-${year(draw)}-${draw.number}`, draw),
    aliases: [cve(draw), `GHSA-py22-${String(draw.number).padStart(4, '0')}-xxxx`],
    severity: draw.below(10) === 0 ? [cvss3(draw)] : [],
    affected: [
      {
        package: { name, ecosystem: 'PyPI', purl: `pkg:pypi/${name}` },
        ranges: [range('ECOSYSTEM', '0', fixOf(draw))],
        versions,
      },
    ],
  }
}

/** An erratum fixes all packages that are built from one source. */
function almaRecord(draw: Draw): OsvJson {
  const release = 8 + draw.below(3)
  const source = `source-${draw.often(700)}`
  const fixed = `${1 + draw.below(5)}.${draw.below(20)}.0-${1 + draw.below(90)}.el${release}_${draw.below(10)}`
  return {
    ...common(`ALSA-${year(draw)}:${String(draw.number).padStart(4, '0')}`, draw),
    related: Array.from({ length: 1 + draw.often(6) }, (_, index) => cve(draw, index)),
    affected: Array.from({ length: 1 + draw.below(23) }, (_, index) => ({
      package: { ecosystem: `AlmaLinux:${release}`, name: index === 0 ? source : `${source}-part${index}` },
      ranges: [range('ECOSYSTEM', '0', fixed)],
    })),
  }
}

function bitnamiRecord(draw: Draw): OsvJson {
  const name = `image-${draw.often(150)}`
  const severity = [cvss3(draw), ...(draw.below(6) === 0 ? [cvss4(draw)] : [])]
  return {
    ...common(`BIT-${name}-${year(draw)}-${10_000 + draw.number}`, draw),
    aliases: [cve(draw)],
    affected: [
      {
        package: { ecosystem: 'Bitnami', name, purl: `pkg:bitnami/${name}` },
        severity,
        ranges: [
          range('SEMVER', '0', fixOf(draw)),
          ...(draw.below(4) === 0 ? [range('SEMVER', '7.0.0', `7.${version(draw)}`)] : []),
        ],
      },
    ],
    database_specific: { severity: 'High', cpes: [`cpe:2.3:a:example:${name}:*:*:*:*:*:*:*:*`] },
  }
}

/** As many records as the public files of these ecosystems had in 2026, in their shapes. */
export const ecosystems: { name: string; count: number; recordOf: (draw: Draw) => OsvJson }[] = [
  { name: 'Go', count: 4_300, recordOf: goRecord },
  { name: 'crates.io', count: 2_300, recordOf: cratesRecord },
  { name: 'PyPI', count: 2_700, recordOf: pypiRecord },
  { name: 'AlmaLinux', count: 5_600, recordOf: almaRecord },
  { name: 'Bitnami', count: 6_300, recordOf: bitnamiRecord },
]
