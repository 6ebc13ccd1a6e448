import type { Purl } from '../purl/purl.ts'
import type { SbomComponent } from '../sbom/document.ts'
import { registryOf, type Ecosystem } from './ecosystems.ts'
import { purlSubject, type PackageReading } from './package-reading.ts'
import { statedVersion } from './stated-version.ts'

/** Joins namespace and name as the registry does; null when the purl lacks a part the registry's names have. */
type NameReader = (purl: Purl, component: SbomComponent) => string | null

const path: NameReader = ({ namespace, name }) => (namespace === null ? name : `${namespace}/${name}`)
const bareName: NameReader = ({ name }) => name
const pathWithNamespace: NameReader = (purl, component) =>
  purl.namespace === null && !purl.name.includes('/') ? null : path(purl, component)

/** By ecosystem; all others join namespace and name with a slash. */
const nameReaders = new Map<string, NameReader>([
  ['npm', scopedName],
  ['Maven', groupAndArtifact],
  ['Go', modulePath],
  ['SwiftURL', pathWithNamespace],
  ['GitHub Actions', pathWithNamespace],
  /** The namespace is the vendor or the recipe's user; the advisories name the recipe. */
  ['ConanCenter', bareName],
])

/** By ecosystem: what its version field means before it is compared. */
const versionReaders = new Map<string, (version: string, purl: Purl, component: SbomComponent) => string>([
  ['Go', moduleVersion],
  ['RubyGems', withoutPlatform],
  ['GitHub Actions', fixedTag],
])

/**
 * The package of a language registry behind a purl: name and version as its advisories write them.
 * undefined when no registry belongs to the purl's type.
 */
export function readLanguagePackage(purl: Purl, component: SbomComponent): PackageReading | undefined {
  const ecosystem = registryOf(purl.type)
  if (ecosystem === undefined) return undefined
  const name = (nameReaders.get(ecosystem.name) ?? path)(purl, component)
  const version = versionOf(ecosystem, purl, component)
  if (name === null) {
    const reason = `The purl names no complete package of ${ecosystem.name}.`
    return { kind: 'not_covered', reason, subject: purlSubject(purl), version, mayUseCpe: false }
  }
  return { kind: 'package', ecosystem, name, version, release: '', stream: '' }
}

function versionOf(ecosystem: Ecosystem, purl: Purl, component: SbomComponent): string {
  const stated = statedVersion(purl.version ?? component.version)
  return versionReaders.get(ecosystem.name)?.(stated, purl, component) ?? stated
}

/** An npm namespace is a scope; some generators leave out its `@`. */
function scopedName({ namespace, name }: Purl): string {
  if (namespace === null) return name
  return `${namespace.startsWith('@') ? '' : '@'}${namespace}/${name}`
}

/** Without a group the artifact alone names dozens of packages; CycloneDX may state it beside the purl. */
function groupAndArtifact({ namespace, name }: Purl, component: SbomComponent): string | null {
  const group = namespace ?? component.group
  return group === null || group === '' ? null : `${group}:${name}`
}

/** The major version of a module belongs to its path (https://go.dev/ref/mod#major-version-suffixes). */
const majorSuffix = /^v(?:[2-9]|[1-9]\d+)$/

/** The standard library is a module of its own to Go's advisories; generators call it std or stdlib. */
const goOwnModules = new Map([
  ['std', 'stdlib'],
  ['stdlib', 'stdlib'],
  ['toolchain', 'toolchain'],
])

function modulePath(purl: Purl, component: SbomComponent): string | null {
  const modulePath = path(purl, component)
  if (modulePath === null) return null
  const first = purl.subpath?.split('/', 1)[0] ?? ''
  if (majorSuffix.test(first) && !modulePath.endsWith(`/${first}`)) return `${modulePath}/${first}`
  return goOwnModules.get(modulePath) ?? modulePath
}

/** What `go mod` writes for a module that is replaced by a directory. */
const placeholderPseudoVersion = 'v0.0.0-00010101000000-000000000000'

/**
 * The version of a main module is no released one: `(devel)`, or a `v0.0.0-…` stamped from the working copy (`+dirty`, or on an
 * application). On a dependency a pseudo-version is the version, and `v0.0.0` compares as 0.0.0.
 */
function moduleVersion(version: string, _purl: Purl, component: SbomComponent): string {
  const isUnreleased = version.startsWith('v0.0.0-') || version.startsWith('0.0.0-')
  const isStamped = component.type === 'application' || version.endsWith('+dirty')
  if (isUnreleased && isStamped) return ''
  return version === placeholderPseudoVersion ? '' : version
}

/** Processor, operating system or interpreter a gem was built for. */
const gemPlatform =
  /^(?:x86|x64|i[3-6]86|amd64|aarch64|arm|ppc|powerpc|s390|riscv|sparc|universal|java|jruby|mswin|mingw|linux|darwin|dalvik|macruby)/i

/** `1.13.8-x86_64-linux` is release 1.13.8; read as a version it would be a prerelease of it. */
function withoutPlatform(version: string): string {
  const dash = version.indexOf('-')
  return dash !== -1 && gemPlatform.test(version.slice(dash + 1)) ? version.slice(0, dash) : version
}

/** `v4` and `v4.1` follow the newest release of that line, so they name no version. */
function fixedTag(version: string): string {
  return /^v?\d+(?:\.\d+)?$/.test(version) ? '' : version
}
