import type { VersionScheme } from '../versions/ordering.ts'
import { ecosystemNamed, keyOf, type Ecosystem } from './ecosystems.ts'
import { enterpriseLinuxRelease } from './distributions/release-hints.ts'
import { readRelease } from './distributions/releases.ts'
import {
  moduleOfTitle,
  streamOfArchitecture,
  streamOfVersion,
  unknownModule,
} from './distributions/streams.ts'

/** The package that an advisory is about, in the terms in which identify() names components. */
export type AffectedPackage = {
  ecosystem: string
  packageKey: string
  /** '' when the ecosystem has no releases. */
  release: string
  scheme: VersionScheme
  /** Compares only with components of the same stream (streams.ts). */
  stream: string
}

/** What else the record says about one range of the package. */
export type FixedBy = {
  /** The version that ends the range; null for an open range. */
  fixed?: string | null
  /** The record's summary, which names the module stream of Red Hat style errata. */
  title?: string | null
  /** `arch` of the package's purl. */
  architecture?: string | undefined
}

/** Whether the fixed version says anything about a package of this ecosystem: those of a registry's packages are all alike. */
export function isToldByFix(ecosystemText: string): boolean {
  const [name = ''] = ecosystemText.split(':', 1)
  return ecosystemNamed(name)?.system !== null
}

/**
 * Reads `affected[].package` of an OSV record (https://ossf.github.io/osv-schema/#affectedpackage-field). Call it for
 * every range with the version that fixes it: the build tells module and product lines apart. undefined when no
 * component can ever match: an ecosystem without components, a name that is no repository where records are on these, a distribution without its release,
 * or a fix built for another major release than the record's.
 */
export function affectedPackage(
  ecosystemText: string,
  name: string,
  fix: FixedBy = {},
): AffectedPackage | undefined {
  const colon = ecosystemText.indexOf(':')
  const ecosystem = ecosystemNamed(colon === -1 ? ecosystemText : ecosystemText.slice(0, colon))
  if (ecosystem === undefined) return undefined
  const packageKey = keyOf(ecosystem, name)
  const known = releaseStreamOf(
    ecosystem,
    colon === -1 ? '' : ecosystemText.slice(colon + 1),
    fix.fixed ?? '',
  )
  if (packageKey === undefined || known === undefined) return undefined
  const stream = known.stream === '' ? streamOfFix(ecosystem, fix) : known.stream
  return { ecosystem: ecosystem.name, packageKey, release: known.release, scheme: ecosystem.scheme, stream }
}

type ReleaseStream = { release: string; stream: string }

/**
 * By what follows the colon. A registry's suffix (`Maven:https://…`, `Packagist:https://packages.drupal.org/8`) is not compared: SBOMs hardly
 * ever say which repository a package came from, and names of the second repository do not occur in the first.
 */
function releaseStreamOf(
  { name, system }: Ecosystem,
  suffix: string,
  fixed: string,
): ReleaseStream | undefined {
  if (system === null) return { release: '', stream: '' }
  if (name === 'Ubuntu') return readUbuntu(suffix)
  if (name === 'Red Hat') return readRedHat(suffix, fixed)
  const known = releaseOf(`${system.distribution} ${system.ofRelease ?? suffix}`)
  return saysReleaseInFix.has(name) ? builtFor(known, fixed) : known
}

const saysReleaseInFix = new Set(['Rocky Linux', 'AlmaLinux'])

const knownReleases = new Map<string, ReleaseStream | undefined>()
/** Far more than there are releases of distributions; the texts come from outside. */
const maxKnown = 1_000

/** An advisory names its release once for each package. */
function releaseOf(text: string): ReleaseStream | undefined {
  if (knownReleases.has(text)) return knownReleases.get(text)
  if (knownReleases.size >= maxKnown) knownReleases.clear()
  const { release } = readRelease(text, null)
  const known = release === null ? undefined : { release, stream: '' }
  knownReleases.set(text, known)
  return known
}

/** A fix built for another major release does not apply to this one. */
function builtFor(known: ReleaseStream | undefined, fixed: string): ReleaseStream | undefined {
  return (enterpriseLinuxRelease(fixed) ?? known?.release) === known?.release ? known : undefined
}

/** `22.04:LTS`, `Pro:18.04:LTS`, `Pro:FIPS-updates:20.04:LTS`, `Pro:22.04:LTS:Realtime:Kernel`. */
function readUbuntu(suffix: string): ReleaseStream | undefined {
  const parts = suffix.toLowerCase().split(':')
  const number = parts.find((part) => /^\d{2}\.\d{2}$/.test(part))
  if (number === undefined) return undefined
  if (parts.some((part) => part.startsWith('fips'))) return { release: number, stream: 'fips' }
  // Special kernels are source packages of their own, so their name alone tells them apart.
  const isPlainPro = parts.includes('pro') && !parts.includes('realtime')
  return { release: number, stream: isPlainPro ? 'esm' : '' }
}

/** The system itself; the extended life of a release continues its ordinary line. */
const ordinaryProducts = new Set(['enterprise_linux', 'rhel_els'])

/** Products whose minor releases get separate fixes beside the ordinary line. */
const extendedSupport = /^(?:rhel|enterprise_linux)_(?:eus|aus|e4s|tus|eus_long_life)$/

/**
 * The rest of a CPE: `enterprise_linux:9::baseos`, `rhel_eus:8.4::appstream`, `openshift:4.12::el8`. A layered product
 * says in its edition, or in the build of the fix, for which release of the system it is.
 */
function readRedHat(suffix: string, fixed: string): ReleaseStream | undefined {
  const [product = '', version = '', , edition = ''] = suffix.toLowerCase().split(':')
  const [, major, minor] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(version) ?? []
  if (ordinaryProducts.has(product)) return builtFor(releaseStreamIn(major, ''), fixed)
  if (!extendedSupport.test(product)) {
    return releaseStreamIn(enterpriseLinuxRelease(fixed) ?? /^el(\d{1,2})$/.exec(edition)?.[1], '')
  }
  return minor === undefined
    ? undefined
    : builtFor(releaseStreamIn(major, `el${major ?? ''}_${minor}`), fixed)
}

function releaseStreamIn(release: string | undefined, stream: string): ReleaseStream | undefined {
  return release === undefined ? undefined : { release, stream }
}

function streamOfFix(ecosystem: Ecosystem, { fixed, title, architecture }: FixedBy): string {
  if (ecosystem.scheme === 'apk') return streamOfArchitecture(ecosystem.name, architecture)
  const told = streamOfVersion(ecosystem.name, fixed ?? '')
  if (ecosystem.name === 'Ubuntu') return ''
  return told === unknownModule ? (moduleOfTitle(title ?? '') ?? unknownModule) : told
}
