/**
 * Parallel lines of fixes in one release. A version is compared only with ranges of its own stream, because the lower
 * version of another line may have the same fix (matching rules, "Fix streams").
 *
 * - `nodejs:18`: builds of one stream of a Red Hat module; `module` where the stream is not known: such a build compares with the
 *   streams that its version allows
 * - `el8_4`: extended support of a Red Hat minor release
 * - `el8sat`, `rhaos4.12`: builds of a layered Red Hat product
 * - `esm`, `fips`: Ubuntu Pro; `fips` also: builds of Oracle Linux that were certified
 * - `ksplice`: libraries of Oracle Linux that are patched while they run
 * - `arch:x86_64`: builds for one architecture, where fixes are told by architecture
 * - `fedora module`: builds of a module of Fedora, whose updates name no packages
 * - `epoch`: source versions whose epoch is not known, so that they compare with none
 * - `snapshot`: what was made of a repository behind a tag, and is compared as that tag
 * - the attributes that narrow a product named by CPE (`narrowerAttributes`); '' where it states none
 * - '': the ordinary line
 */

export const unknownModule = 'module'
export const unknownEpoch = 'epoch'
/** Builds of Ubuntu Pro. */
export const proStream = 'esm'
export const snapshotStream = 'snapshot'
export const fedoraModule = 'fedora module'

const obstacles = new Map([
  [unknownEpoch, 'The epoch of the source package is not known.'],
  [fedoraModule, 'The updates of Fedora name the build of a module that they bring, and not its packages.'],
])

/** Why versions of a stream cannot be compared, in English; null when they can. */
export function obstacleOf(stream: string): string | null {
  return obstacles.get(stream) ?? null
}

const moduleBuild = /\.module[_+]el\d/
const layeredBuild = /\.(el\d{1,2}[a-z][a-z0-9]{0,15}|rhaos\d{1,2}\.\d{1,3})(?:\.|$)/
const moduleLabel = /^([\w.+-]{1,80}:[\w.+-]{1,80})(?::|$)/
const labelInTitle = /(?:^|\s)([a-z][\w.+-]{0,80}:[\w.+-]{1,80})(?=\s)/i

/** Distributions that build Red Hat style modules. */
const modularEcosystems = new Set(['Red Hat', 'Rocky Linux', 'AlmaLinux'])

const kspliceBuild = /\.ksplice\d/
const fipsBuild = /[._]fips(?:$|[._])/

/** The stream that the version itself reveals: the same for an installed package and for a fix. */
export function streamOfVersion(ecosystem: string, version: string): string {
  if (ecosystem === 'Ubuntu')
    return /fips/i.exec(version) !== null ? 'fips' : version.includes(proStream) ? proStream : ''
  if (ecosystem === 'Fedora') return /\.module_f\d/.test(version) ? fedoraModule : ''
  if (ecosystem === 'Oracle Linux') return streamOfOracle(version)
  if (!modularEcosystems.has(ecosystem)) return ''
  if (moduleBuild.test(version)) return unknownModule
  return ecosystem === 'Red Hat' ? (layeredBuild.exec(version)?.[1] ?? '') : ''
}

/** Builds for live patching, and certified ones, have fixes of their own beside those of the ordinary line. */
function streamOfOracle(version: string): string {
  if (kspliceBuild.test(version)) return 'ksplice'
  if (fipsBuild.test(version)) return 'fips'
  return moduleBuild.test(version) ? unknownModule : ''
}

/** `nodejs:18` from an RPM's module label (`nodejs:18:8080020230210124431:63b34585`); null for any other text. */
export function moduleOfLabel(label: string): string | null {
  return moduleLabel.exec(label)?.[1] ?? null
}

/** `nodejs:18` from the title of an erratum (`Important: nodejs:18 security update`); null where it names no stream. */
export function moduleOfTitle(title: string): string | null {
  return labelInTitle.exec(title.slice(0, 500))?.[1] ?? null
}

/**
 * The extended support that a repository serves (`rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_4`): `el8_4`; '' for others.
 * The `.el8_4` of a version is no sign of it: ordinary updates of the time of 8.4 are called that too.
 */
export function extendedSupport(repositoryId: string): string {
  const [, major, minor] = /-(?:eus|aus|e4s|tus)-.{0,80}__(\d{1,2})_DOT_(\d{1,2})$/.exec(repositoryId) ?? []
  return major === undefined || minor === undefined ? '' : `el${major}_${minor}`
}

/** Distributions whose records may be about one architecture. */
const builtApart = new Set(['Wolfi', 'Chainguard', 'MinimOS'])

/** Architectures by the names that other systems have for them. */
const sameArchitectures = new Map([
  ['amd64', 'x86_64'],
  ['x86-64', 'x86_64'],
  ['x64', 'x86_64'],
  ['arm64', 'aarch64'],
])

/** What is the same for all of them. */
const everyArchitecture = new Set(['noarch', 'all', 'any'])

/** The stream of a package, or of a record's purl, with this `arch`; '' where none is stated, or where it makes no difference. */
export function streamOfArchitecture(ecosystem: string, architecture: string | undefined): string {
  const stated = architecture?.toLowerCase() ?? ''
  const name = sameArchitectures.get(stated) ?? stated
  const isTold = /^\w{1,30}$/.test(name) && !everyArchitecture.has(name)
  return isTold && builtApart.has(ecosystem) ? `arch:${name}` : ''
}
