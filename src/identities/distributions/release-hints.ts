import type { Distribution } from './distributions.ts'

/** Reads the release number that a distribution's builders put into the versions of its packages. */
type Hint = { pattern: RegExp; release: (...groups: string[]) => string }

const first = (number = ''): string => number

/** `.el9`, `.el8_4`, `.module+el8.4.0+…`, `.module_el8.5.0+…` */
const enterpriseLinux: Hint = { pattern: /\.(?:module[_+])?el(\d{1,2})(?!\d)/, release: first }

const hints = new Map<string, Hint>([
  ['redhat', enterpriseLinux],
  ['almalinux', enterpriseLinux],
  ['rocky', enterpriseLinux],
  /** `.fc40`, `.module_f36+…` */
  ['fedora', { pattern: /\.(?:fc|module_f)(\d{1,3})(?!\d)/, release: first }],
  ['oracle', enterpriseLinux],
  /** `.amzn2`, `.amzn2023.0.1` */
  ['amazon', { pattern: /\.amzn(\d{1,4})(?!\d)/, release: first }],
  /** `+deb12u3`, `~deb11u1`, `~bpo11+1` */
  ['debian', { pattern: /[+~](?:deb|bpo)(\d{1,2})(?!\d)/, release: first }],
  /** `~22.04.1`, `0ubuntu0.22.04.1`, `~ubuntu22.04` */
  ['ubuntu', { pattern: /(?:~|~ubuntu|ubuntu\d{1,2}\.)(\d{2}\.(?:04|10))(?!\d)/, release: first }],
  ['photon', { pattern: /\.ph(\d)(?!\d)/, release: (major = '') => `${major}.0` }],
  ['azurelinux', { pattern: /\.(?:cm|azl)(\d)(?!\d)/, release: first }],
  ['mageia', { pattern: /\.mga(\d{1,2})(?!\d)/, release: first }],
  /** `lp151.2.3` */
  [
    'opensuse',
    { pattern: /\blp(\d{2})(\d)\./, release: (major = '', minor = '') => `leap ${major}.${minor}` },
  ],
  /** `.oe2203sp1` */
  [
    'openeuler',
    {
      pattern: /\.oe(2[02468])(03)(sp\d)?(?!\d)/,
      release: (year = '', month = '', pack = '') => `${year}.${month}-lts${pack === '' ? '' : `-${pack}`}`,
    },
  ],
])

/**
 * The release a package version was built for, where its builders write it down; null where they do not. Packages are
 * carried over from one release to the next, so this is the last resort.
 */
export function hintedRelease(distribution: Distribution, version: string): string | null {
  const hint = hints.get(distribution.id)
  const groups = hint?.pattern.exec(version) ?? null
  return hint === undefined || groups === null ? null : hint.release(...groups.slice(1))
}

/** The major release of a Red Hat style build (`.el8_4` → `8`); null for other builds. */
export function enterpriseLinuxRelease(version: string): string | null {
  return enterpriseLinux.pattern.exec(version)?.[1] ?? null
}
