import { concreteText, cpeAttributes, type Cpe, type CpeValue } from '../../formats/cpe.ts'
import type { Purl } from '../../formats/purl/purl.ts'
import { epochOf, foldEpoch } from '../../identities/distributions/epoch.ts'
import { distributionOf } from '../../identities/distributions/releases.ts'
import { systemPurlTypes } from '../../identities/ecosystems.ts'
import {
  comparedGoPath,
  isSameGoPath,
  moduleOfGoItself,
  releaseOf,
} from '../../identities/language-package.ts'
import { qualifiersName } from './bind-qualifiers.ts'
import { isSameVersion } from './bind-versions.ts'

/** What all versions of a package share, as the registry compares names. */
export function packageOfPurl(purl: Purl): string {
  const { type, name } = purl
  const namespace = systemPurlTypes.has(type) ? comparedDistribution(purl.namespace) : purl.namespace
  const whole = namespace === null ? name : `${namespace}/${name}`
  return `${type}/${type === 'golang' ? comparedGoPath(purl) : comparedName(type, whole)}`
}

/** Tools call a distribution differently (`amzn`, `amazon`); anybody else may build packages, too. */
function comparedDistribution(namespace: string | null): string | null {
  const distribution = namespace === null ? null : distributionOf(namespace)
  if (namespace === null || distribution === null) return namespace
  return `${distribution.id} ${distribution.spellings.get(namespace.toLowerCase()) ?? ''}`
}

/** Whether two purls are of one package. */
export function isSamePackage(a: Purl, b: Purl): boolean {
  return packageOfPurl(a) === packageOfPurl(b) && (a.type !== 'golang' || isSameGoPath(a, b))
}

/** The keys by which a statement can name a component: that of its package, and of what records name where the component is a part or variant of it. */
export function packagesNaming(component: Purl): string[] {
  const whole = wholeOf(component)
  return whole === undefined ? [packageOfPurl(component)] : [packageOfPurl(component), packageOfPurl(whole)]
}

/**
 * What a component belongs to: packages of Go's own modules, which some SBOMs list one by one, an action in a repository, a product of a Swift
 * package, what a feature of a Python package needs (`celery[redis]`), a recipe of Conan by whoever wrote it.
 */
function wholeOf(component: Purl): Purl | undefined {
  const { type, namespace, name } = component
  if (type === 'golang') {
    const module = moduleOfGoItself(component)
    return module === undefined ? undefined : { ...component, namespace: null, name: module }
  }
  if (type === 'githubactions') return repositoryOfAction(component)
  if (type === 'swift') return { ...component, name: name.replace(/:[^:]+$/, '') }
  if (type === 'pypi') return { ...component, name: name.replace(/\s*\[[^\]]*\]$/, '') }
  return type === 'conan' && namespace !== null ? { ...component, namespace: null } : undefined
}

function repositoryOfAction(action: Purl): Purl | undefined {
  const [owner, repository, ...below] = `${action.namespace ?? ''}/${action.name}`.split('/')
  if (owner === undefined || repository === undefined || below.length === 0) return undefined
  return { ...action, namespace: owner, name: repository }
}

/**
 * PEP 503 for Python; NuGet and GitHub take no notice of case; crates.io has no two names that differ in case or dash alone; generators leave out
 * the `@` of an npm scope.
 */
function comparedName(type: string, name: string): string {
  if (type === 'pypi') return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
  if (type === 'nuget' || type === 'githubactions') return name.toLowerCase()
  if (type === 'cargo') return name.toLowerCase().replaceAll('-', '_')
  if (type === 'npm' && name.includes('/') && !name.startsWith('@')) return `@${name}`
  return name
}

/**
 * Whether a purl names a component: the same package, and whatever else the purl gives (version, qualifiers, subpath) is the
 * component's too. A purl that gives less names more (OpenVEX 0.2.0, "Product matching").
 */
export function purlNames(named: Purl, component: Purl): boolean {
  const isNamed = [component, wholeOf(component)].some(
    (each) => each !== undefined && isSamePackage(named, each),
  )
  if (!isNamed) return false
  const hasEpoch = statesEpoch(named)
  if (named.version !== null && !hasVersion(component, named, hasEpoch)) return false
  if (named.subpath !== null && named.subpath !== component.subpath) return false
  const qualifiers = [...named.qualifiers].filter(([key]) => key !== 'epoch' || !hasEpoch)
  return qualifiersName(qualifiers, named, component)
}

/** A release names all that is built or used of it; one build does not name another, nor the release. */
function hasVersion(component: Purl, named: Purl, hasEpoch: boolean): boolean {
  const [wanted, stated] = [comparedVersion(named, hasEpoch), comparedVersion(component, hasEpoch)]
  if (wanted === null || stated === null) return false
  if (isSameVersion(wanted, stated, named.type)) return true
  const release = releaseOf(component)
  return release !== null && release !== component.version && isSameVersion(wanted, release, named.type)
}

function comparedVersion({ version, qualifiers }: Purl, hasEpoch: boolean): string | null {
  return hasEpoch && version !== null ? foldEpoch(version, qualifiers.get('epoch')) : version
}

/** Whether a version of RPM or Debian comes with its epoch: some generators write it into the version, others beside it. */
function statesEpoch({ type, version, qualifiers }: Purl): boolean {
  if (version === null || (type !== 'rpm' && type !== 'deb')) return false
  return epochOf(version) !== undefined || qualifiers.has('epoch')
}

/**
 * Whether a CPE names a component's: each of its attributes is a superset of, or equal to, the component's (NISTIR 7696, 6.2), or the part is, which layers
 * of Yocto leave open for every recipe. A CPE that names no single product of one vendor names a platform at most, hence no component but one
 * whose SBOM says no more.
 */
export function cpeNames(named: Cpe, component: Cpe): boolean {
  const isOfVendor = concreteText(named.vendor) !== null || component.vendor.kind === 'any'
  if (productOfCpe(named) === undefined || !isOfVendor) return false
  return cpeAttributes.every(
    (key) => isSuperset(named[key], component[key]) || (key === 'part' && component.part.kind === 'any'),
  )
}

/** What the CPEs of one product share, whatever its part; undefined: no single product. */
export function productOfCpe({ vendor, product }: Cpe): string | undefined {
  const [ofVendor, name] = [vendor.kind === 'any' ? '*' : concreteText(vendor), concreteText(product)]
  return ofVendor === null || name === null ? undefined : `cpe:${ofVendor}:${name}`
}

function isSuperset(named: CpeValue, value: CpeValue): boolean {
  if (named.kind === 'any') return true
  if (named.kind === 'na' || value.kind !== 'text' || value.hasWildcard)
    return named.kind === value.kind && value.kind === 'na'
  return named.hasWildcard ? matchesPattern(named.text, value.text) : named.text === value.text
}

/**
 * Wildcards occur at the ends of a value only (NISTIR 7695, 5.3.2): `*` for any run of characters, each `?` for at most one.
 * Linear: the fixed middle is looked up once for each place it can be at.
 */
function matchesPattern(pattern: string, text: string): boolean {
  let [start, end] = [0, pattern.length]
  while (start < end && isWildcard(pattern.charAt(start))) start += 1
  while (end > start && isWildcard(pattern.charAt(end - 1))) end -= 1
  const middle = pattern.slice(start, end)
  const [maxBefore, maxAfter] = [maxCharacters(pattern.slice(0, start)), maxCharacters(pattern.slice(end))]
  for (let at = text.indexOf(middle); at !== -1 && at <= maxBefore; at = text.indexOf(middle, at + 1)) {
    if (text.length - at - middle.length <= maxAfter) return true
    if (at === text.length) return false
  }
  return false
}

function isWildcard(character: string): boolean {
  return character === '*' || character === '?'
}

function maxCharacters(wildcards: string): number {
  return wildcards.includes('*') ? Infinity : wildcards.length
}
