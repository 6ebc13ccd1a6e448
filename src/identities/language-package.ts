import type { Purl } from '../formats/purl/purl.ts'
import type { SbomComponent } from '../formats/sbom/document.ts'
import { isOfOtherRegistry } from './registries/public-registries.ts'
import { repositoryName } from './repositories/repository.ts'
import { commitOfPseudoVersion } from '../formats/snapshot-version.ts'
import { registryOf, type Ecosystem } from './ecosystems.ts'
import { purlSubject, type PackageReading } from './package-reading.ts'
import { reasonOfRebuild } from './rebuilt.ts'
import { statedVersion } from '../formats/stated-version.ts'

/** Joins namespace and name as the registry does; null when the purl lacks a part the registry's names have. */
type NameReader = (purl: Purl, component: NameFacts) => string | null
type NameFacts = Pick<SbomComponent, 'group' | 'repository'>

const path: NameReader = ({ namespace, name }) => (namespace === null ? name : `${namespace}/${name}`)
const bareName: NameReader = ({ name }) => name
const pathWithNamespace: NameReader = (purl, component) =>
  purl.namespace === null && !purl.name.includes('/') ? null : path(purl, component)

/** By ecosystem; all others join namespace and name with a slash. */
const nameReaders = new Map<string, NameReader>([
  ['npm', scopedName],
  ['PyPI', distributionName],
  ['Maven', groupAndArtifact],
  ['Go', modulePath],
  ['SwiftURL', repositoryOfPackage],
  ['GitHub Actions', repositoryOfAction],
  /** The namespace is the vendor or the recipe's user; the advisories name the recipe. */
  ['ConanCenter', bareName],
])

/** By ecosystem: what its version field means before it is compared. */
const versionReaders = new Map<string, (version: string, purl: Purl, component: SbomComponent) => string>([
  ['npm', withoutPeers],
  ['Maven', snapshotOfBuild],
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
  const target = ecosystem.name === 'npm' ? aliasedPurl(purl) : purl
  const name = (nameReaders.get(ecosystem.name) ?? path)(target, component)
  const version = versionOf(ecosystem, target, component)
  const needsRecord = isNamedByFew(purl)
  const uncovered = (reason: string, mayUseCpe = needsRecord): PackageReading => {
    return { kind: 'not_covered', reason, subject: purlSubject(purl), version, mayUseCpe }
  }
  if (name === null) return uncovered(`The purl names no complete package of ${ecosystem.name}.`)
  if (neverInName.test(name)) return uncovered(`No package of ${ecosystem.name} can have such a name.`)
  const rebuilt = reasonOfRebuild(purl, version)
  if (rebuilt !== null) return uncovered(rebuilt, false)
  const subject = needsRecord ? `pkg:${purl.type}/${name.toLowerCase()}` : ''
  const basis = isOfOtherRegistry(ecosystem.name, purl) ? 'foreign_purl' : 'purl'
  const named = { ecosystem, name, version, release: '', stream: '', needsRecord, basis } as const
  return { kind: 'package', named, origin: null, subject, mayUseCpe: needsRecord, mayBeBuilt: false }
}

/** The registry's package that a purl outside of an SBOM names, as its advisories call it; undefined where no registry has such names. */
export function namedByPurl(purl: Purl): { ecosystem: Ecosystem; name: string } | undefined {
  const ecosystem = registryOf(purl.type)
  // a repository is not the actions in it
  if (ecosystem === undefined || purl.type === 'github') return undefined
  const name = (nameReaders.get(ecosystem.name) ?? path)(purl, { group: null })
  return name === null || neverInName.test(name) ? undefined : { ecosystem, name }
}

/** No registry has a package with one of these in its name: somebody wrote a requirement, a range or an alias. */
const neverInName = /[\s[\]<>|*"'`^$\\]/

/**
 * Repositories of actions and Conan recipes: nobody publishes data on all of them, so only one that a record names is covered, and a CPE beside it
 * decides as well.
 */
function isNamedByFew({ type }: Purl): boolean {
  return type === 'github' || type === 'conan'
}

function versionOf(ecosystem: Ecosystem, purl: Purl, component: SbomComponent): string {
  const stated = statedVersion(purl.version ?? component.version)
  return versionReaders.get(ecosystem.name)?.(stated, purl, component) ?? stated
}

/**
 * Some generators write the address of the repository in front of its name (`pkg:swift/https://github.com/apple/swift-nio.git`), Swift itself a product
 * behind it (`pkg:swift/github.com/macpaw/openai:OpenAI`). Where the purl has only the name, the component's own repository is meant.
 */
function repositoryOfPackage(purl: Purl, component: NameFacts): string | null {
  const name =
    path(purl, component)
      ?.replace(/^https?:\/{1,2}/i, '')
      .replace(/:[^:/]+$/, '') ?? null
  const [host = ''] = (name ?? '').split('/', 1)
  if (name !== null && name !== host && host.includes('.')) return name
  const repository = repositoryName(component.repository ?? '')
  return repository === '' ? pathWithNamespace(purl, component) : repository
}

/** `github/codeql-action/init` is a part of the repository that the advisories name. */
function repositoryOfAction(purl: Purl, component: NameFacts): string | null {
  const whole = pathWithNamespace(purl, component)
  return whole === null ? null : whole.split('/').slice(0, 2).join('/')
}

/** An npm namespace is a scope; some generators leave out its `@`. */
function scopedName({ namespace, name }: Purl): string {
  if (namespace === null) return name
  return `${namespace.startsWith('@') ? '' : '@'}${namespace}/${name}`
}

/** `vue-loader-v15@npm:vue-loader@15.10.0`: npm's way to install a package under another name (npm-install, "npm:<name>"). */
const npmAlias = /^(?:(.*)@)?npm:((?:@[^/@]+\/)?[^/@]+)(?:@([^@]+))?$/

/** Yarn writes `npm:` in front of every version and range: `lodash@npm:4.17.21`. */
const versionOrRange = /^(?:[\^~<>=*]|v?\d+(?:\.[\dx*]+)*(?:[-+][\w.+-]+)?$)/i

/** What an alias points to, whichever part of the purl a generator put it in. */
export function aliasedPurl(purl: Purl): Purl {
  const { namespace, name, version } = purl
  const full = namespace === null ? name : `${namespace}/${name}`
  for (const [text, beside] of [
    [version ?? '', null],
    [full, version],
  ] as const) {
    const [, before, target, stated] = npmAlias.exec(text) ?? []
    if (target === undefined) continue
    if (stated !== undefined || !versionOrRange.test(target))
      return { ...purl, namespace: null, name: target, version: stated ?? beside }
    const named = before === undefined ? purl : { ...purl, namespace: null, name: before }
    return { ...named, version: beside ?? target }
  }
  return purl
}

/** `celery[redis]` is celery with what one of its features needs (PEP 508, "Extras"). */
function distributionName(purl: Purl, component: NameFacts): string | null {
  return path({ ...purl, name: purl.name.replace(/\s*\[[^\]]*\]$/, '') }, component)
}

/** Without a group the artifact alone names dozens of packages; CycloneDX may state it beside the purl. */
function groupAndArtifact({ namespace, name }: Purl, component: NameFacts): string | null {
  if (namespace === null && /^[^:]+:[^:]+$/.test(name)) return name
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
  // as the go command downloads one (https://go.dev/doc/toolchain)
  ['golang.org/toolchain', 'toolchain'],
])

/**
 * The module that a path of Go's own is: only its packages have no dot in their first part and the version of a release (`crypto/x509` of
 * go1.26.1), which cyclonedx-gomod lists one by one.
 */
function goOwnModule(stated: string, version: string | null): string | undefined {
  const known = goOwnModules.get(stated)
  const [first = ''] = stated.split('/', 1)
  if (known !== undefined || first.includes('.') || !/^go\d/.test(version ?? '')) return known
  return first === 'cmd' ? 'toolchain' : 'stdlib'
}

/** Whether a purl means the standard library, the toolchain or a package of one of them. */
export function isOfGoItself(purl: Purl): boolean {
  return moduleOfGoItself(purl) !== undefined
}

/** The one of the two that a purl means, or that it means a package of. */
export function moduleOfGoItself(purl: Purl): string | undefined {
  return goOwnModule(goPath(purl), purl.version)
}

/** The path of a module or package, as Go writes it. */
export function goPath({ namespace, name }: Purl): string {
  return unescaped(namespace === null ? name : `${namespace}/${name}`)
}

/**
 * By which path and version a purl is told apart from another one: generators call Go's own modules differently, and purl libraries write others in
 * lower case, which hosts and proxies treat as the original.
 */
export function comparedGoPath(purl: Purl): string {
  return spelledGoPath(purl).toLowerCase()
}

/** Whether two purls mean one module: paths that differ in case are two modules, unless one of them was written in lower case throughout. */
export function isSameGoPath(a: Purl, b: Purl): boolean {
  const [left, right] = [spelledGoPath(a), spelledGoPath(b)]
  return left === right || left.toLowerCase() === right || left === right.toLowerCase()
}

function spelledGoPath(purl: Purl): string {
  const stated = goPath(purl)
  return goOwnModules.get(stated) ?? stated
}

/** The release that records have, where a purl's version is one build or use of it; its version in all other cases. */
export function releaseOf(purl: Purl): string | null {
  const { type, version } = purl
  if (version === null) return null
  if (type === 'npm') return withoutPeers(version)
  if (type === 'maven') return snapshotOfBuild(version)
  if (type !== 'golang') return version
  return isOfGoItself(purl) ? toolchainRelease(version) : version.replace(/\/go\.mod$/, '')
}

/** With the major version in the path, where a subpath begins with it. */
export function withMajorVersion(purl: Purl): Purl {
  const [first = '', ...rest] = purl.subpath?.split('/') ?? []
  if (!majorSuffix.test(first) || goPath(purl).endsWith(`/${first}`)) return purl
  return { ...purl, namespace: goPath(purl), name: first, subpath: rest.join('/') || null }
}

function modulePath(purl: Purl): string {
  const modulePath = goPath(withMajorVersion(purl))
  return goOwnModule(modulePath, purl.version) ?? modulePath
}

/** The module cache and proxies write a capital as `!` and its small letter (https://go.dev/ref/mod#goproxy-protocol). */
function unescaped(modulePath: string): string {
  return modulePath.replaceAll(/!([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** What `go mod` writes for a module that is replaced by a directory. */
const placeholderPseudoVersion = 'v0.0.0-00010101000000-000000000000'

/**
 * The version of a main module is not a released one: `(devel)`, or a `v0.0.0-…` stamped from the working copy (`+dirty`, or on an
 * application). On a dependency a pseudo-version is the version, and `v0.0.0` compares as 0.0.0.
 */
function moduleVersion(stated: string, purl: Purl, component: SbomComponent): string {
  if (isOfGoItself(purl)) return toolchainRelease(stated)
  // go.sum has a line for the file alone
  const version = stated.replace(/\/go\.mod$/, '')
  const isUnreleased = version.startsWith('v0.0.0-') || version.startsWith('0.0.0-')
  const isStamped = component.type === 'application' || version.endsWith('+dirty')
  if (isUnreleased && isStamped) return ''
  return version === placeholderPseudoVersion ? '' : version
}

/** `go1.26.5 X:boringcrypto`, `1.22.7-bigcorp`; semantic prereleases are written so in advisories alone. */
const builtToolchain = /^((?:go)?\d+(?:\.\d+){0,2}(?:(?:beta|rc)\d+)?)[- ](?!(?:0|alpha|beta|rc|pre)\b)/

/** `v0.0.1-go1.21.5.linux-amd64`, a toolchain as a module. */
const toolchainModule = /^v0\.0\.1-(go\d[\w.]*?)\.[a-z][a-z0-9]*-[a-z][a-z0-9]*$/

/** A distributor's build of a toolchain compares as the release that it was built from (go/version, "Compare"). */
function toolchainRelease(stated: string): string {
  const version = toolchainModule.exec(stated)?.[1] ?? stated
  return builtToolchain.exec(version)?.[1] ?? version
}

/** pnpm writes behind a version what it was installed with: `1.0.0(react@18.0.0)`, formerly `1.0.0_react@18.0.0`. */
function withoutPeers(version: string): string {
  return /^(\d[\w.+-]*?)(?:\(|_[^@]+@)/.exec(version)?.[1] ?? version
}

/** Each build of a snapshot has the version of all of them (Maven, `ArtifactUtils.toSnapshotVersion`). */
function snapshotOfBuild(version: string): string {
  return version.replace(/(?<=.)-\d{8}\.\d{6}-\d+$/, '-SNAPSHOT')
}

/** Processor, operating system or interpreter a gem was built for. */
const gemPlatform =
  /^(?:x86|x64|i[3-6]86|amd64|aarch64|arm|ppc|powerpc|s390|riscv|sparc|universal|java|jruby|mswin|mingw|linux|darwin|dalvik|macruby)/i

/** `1.13.8-x86_64-linux` is release 1.13.8; read as a version it would be a prerelease of it. */
function withoutPlatform(version: string): string {
  const platform = platformOfGem(version)
  return platform === '' ? version : version.slice(0, -platform.length - 1)
}

/** Empty for one that every platform has. */
export function platformOfGem(version: string): string {
  const dash = version.indexOf('-')
  const platform = dash === -1 ? '' : version.slice(dash + 1)
  return gemPlatform.test(platform) ? platform : ''
}

/** `v4` and `v4.1` follow the newest release of that line, so they name no version; what Go calls a commit behind no tag is that commit. */
function fixedTag(version: string): string {
  const commit = commitOfPseudoVersion(version)
  if (commit !== undefined) return commit
  return /^v?\d+(?:\.\d+)?$/.test(version) ? '' : version
}
