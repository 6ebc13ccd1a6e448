import { cpeAttributes, isConcrete, type Cpe, type CpeValue } from '../../formats/cpe.ts'
import type { Purl } from '../../formats/purl/purl.ts'
import { epochOf, foldEpoch } from '../../identities/distributions/epoch.ts'
import { distributionOf } from '../../identities/distributions/releases.ts'
import { systemPurlTypes } from '../../identities/ecosystems.ts'
import { comparedGoPath, comparedGoVersion, moduleOfGoItself } from '../../identities/language-package.ts'
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

/** The keys by which a statement can name a component: packages of Go's own modules, which some SBOMs list one by one, are named by the module, too. */
export function packagesNaming(component: Purl): string[] {
  const itself = packageOfPurl(component)
  const module = component.type === 'golang' ? moduleOfGoItself(component) : undefined
  return module === undefined ? [itself] : [itself, `golang/${module}`]
}

/**
 * PEP 503 for Python; NuGet takes no notice of case; crates.io has no two names that differ in case or dash alone; generators leave out
 * the `@` of an npm scope.
 */
function comparedName(type: string, name: string): string {
  if (type === 'pypi') return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
  if (type === 'nuget') return name.toLowerCase()
  if (type === 'cargo') return name.toLowerCase().replaceAll('-', '_')
  if (type === 'npm' && name.includes('/') && !name.startsWith('@')) return `@${name}`
  return name
}

/**
 * Whether a purl names a component: the same package, and whatever else the purl gives (version, qualifiers, subpath) is the
 * component's too. A purl that gives less names more (OpenVEX 0.2.0, "Product matching").
 */
export function purlNames(named: Purl, component: Purl): boolean {
  if (!packagesNaming(component).includes(packageOfPurl(named))) return false
  const hasEpoch = statesEpoch(named)
  if (named.version !== null && !hasVersion(component, named, hasEpoch)) return false
  if (named.subpath !== null && named.subpath !== component.subpath) return false
  return [...named.qualifiers].every(
    ([key, value]) => component.qualifiers.get(key) === value || (key === 'epoch' && hasEpoch),
  )
}

function hasVersion(component: Purl, named: Purl, hasEpoch: boolean): boolean {
  const [version, wanted] = [comparedVersion(component, hasEpoch), comparedVersion(named, hasEpoch)]
  return version !== null && wanted !== null && isSameVersion(wanted, version, named.type)
}

function comparedVersion(purl: Purl, hasEpoch: boolean): string | null {
  const { type, version, qualifiers } = purl
  if (type === 'golang') return comparedGoVersion(purl)
  return hasEpoch && version !== null ? foldEpoch(version, qualifiers.get('epoch')) : version
}

/** Whether a version of RPM or Debian comes with its epoch: some generators write it into the version, others beside it. */
function statesEpoch({ type, version, qualifiers }: Purl): boolean {
  if (version === null || (type !== 'rpm' && type !== 'deb')) return false
  return epochOf(version) !== undefined || qualifiers.has('epoch')
}

/**
 * Whether a CPE names a component's: each of its attributes is a superset of, or equal to, the component's (NISTIR 7696, 6.2).
 * A CPE that names no single product of one vendor names a platform at most, hence no component.
 */
export function cpeNames(named: Cpe, component: Cpe): boolean {
  return isConcrete(named) && cpeAttributes.every((key) => isSuperset(named[key], component[key]))
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
