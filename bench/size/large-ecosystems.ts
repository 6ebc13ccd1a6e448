import {
  common,
  cve,
  cvss3,
  pypiRecord,
  range,
  version,
  year,
  type Draw,
  type OsvJson,
} from '../osv-records.ts'

const packages = 9_000
/** What images are found to have; the ones in every image come up most. */
const vulnerabilities = 40_000

const often = (draw: Draw) => `CVE-${2018 + (draw.often(8) % 8)}-${10_000 + draw.often(vulnerabilities)}`
const apkFix = ({ below }: Draw) => `${below(8)}.${below(40)}.${below(12)}-r${below(30)}`

/** One package and what one CVE means for it, as both distributions of Chainguard write it: no severity and no words. */
function chainguardRecord(draw: Draw, id: string, homes: readonly string[]): OsvJson {
  const { schema_version, published, modified, references } = common(id, draw)
  const name = `image-part-${draw.often(packages)}`
  const upstream = [often(draw), ...(draw.below(2) === 0 ? [`GHSA-${draw.often(vulnerabilities)}-cgcg`] : [])]
  const ranges = [range('ECOSYSTEM', '0', draw.below(10) === 0 ? '0' : apkFix(draw))]
  return {
    schema_version,
    id,
    published,
    modified,
    upstream,
    references,
    affected: homes.map((ecosystem) => ({
      package: { name, ecosystem, purl: `pkg:apk/${ecosystem.toLowerCase()}/${name}` },
      ranges,
      ecosystem_specific: {
        components: [
          { name: `github.com/example/part-${draw.below(900)}`, type: 'go-module', version: version(draw) },
        ],
      },
      database_specific: { source: `https://example.com/osv/${id}.json` },
    })),
  }
}

/** A third of what is said of Chainguard's packages is said of Wolfi's at once. */
const chainguardOnly = (draw: Draw) =>
  chainguardRecord(
    draw,
    `CGA-cccc-${draw.number}`,
    draw.below(3) === 0 ? ['Chainguard', 'Wolfi'] : ['Chainguard'],
  )
const wolfiOnly = (draw: Draw) => chainguardRecord(draw, `CGA-wwww-${draw.number}`, ['Wolfi'])

/** A CVE in all releases, with the versions that are affected: hundreds where nothing is fixed. */
function debianRecord(draw: Draw): OsvJson {
  const about = cve(draw)
  const name = `source-${draw.often(6_000)}`
  return {
    ...common(`DEBIAN-${about}`, draw),
    upstream: [about],
    affected: [11, 12, 13, 14].map((release) => {
      const fixed = draw.below(3) === 0 ? null : `6.${version(draw)}-${1 + draw.below(4)}+deb${release}u1`
      return {
        package: { ecosystem: `Debian:${release}`, name, purl: `pkg:deb/debian/${name}?arch=source` },
        ranges: [range('ECOSYSTEM', '0', fixed)],
        versions: Array.from({ length: 1 + draw.often(60) }, (_, index) => `5.${index}.${draw.below(9)}-1`),
        ecosystem_specific: { urgency: ['not yet assigned', 'unimportant', 'low'][draw.below(3)] },
      }
    }),
  }
}

/** Most of npm's records are malicious packages; the others have a score and say which CVE they are. */
function npmRecord(draw: Draw): OsvJson {
  if (draw.below(10) < 7) {
    const name = `bad-package-${draw.number}`
    const versions = draw.below(2) === 0 ? { versions: ['1.0.0', '1.0.1'] } : {}
    return {
      ...common(`MAL-${year(draw)}-${draw.number}`, draw),
      affected: [
        {
          package: { ecosystem: 'npm', name, purl: `pkg:npm/${name}` },
          ranges: [range('SEMVER', '0', null)],
          ...versions,
        },
      ],
      credits: [{ name: 'Example', type: 'FINDER', contact: ['https://example.com'] }],
    }
  }
  const name = `module-${draw.often(9_000)}`
  return {
    ...common(`GHSA-np22-${draw.number}-xxxx`, draw),
    aliases: [cve(draw)],
    severity: [cvss3(draw)],
    affected: [
      { package: { ecosystem: 'npm', name }, ranges: [range('SEMVER', '0', `6.${version(draw)}`)] },
      ...(draw.below(4) === 0
        ? [{ package: { ecosystem: 'npm', name }, ranges: [range('SEMVER', '7.0.0', `7.${version(draw)}`)] }]
        : []),
    ],
    database_specific: { severity: 'HIGH', cwe_ids: ['CWE-125'], github_reviewed: true },
  }
}

/** How many of a thousand records. Chainguard's file is as large as it is among the public ones. */
export const largeEcosystems: { name: string; permille: number; recordOf: (draw: Draw) => OsvJson }[] = [
  { name: 'Chainguard', permille: 834, recordOf: chainguardOnly },
  { name: 'Wolfi', permille: 80, recordOf: wolfiOnly },
  { name: 'npm', permille: 45, recordOf: npmRecord },
  { name: 'Debian', permille: 30, recordOf: debianRecord },
  { name: 'PyPI', permille: 11, recordOf: pypiRecord },
]
