import { parsePurl, typeOfPurl } from '../formats/purl/purl.ts'
import type { IdentityBasis } from '../contract/identity.ts'
import type { SbomComponent } from '../formats/sbom/document.ts'
import type { ComponentIdentity } from './component-identity.ts'
import { cpeIdentity, isDistribution } from './cpe-identity.ts'
import { isVers } from './vers/vers.ts'
import { keyOf, registryOf } from './ecosystems.ts'
import { decidingModule, isGoPackage, readGoPackage } from './go-packages.ts'
import { hashId } from './hash-id.ts'
import { assessVersion, furtherKeys, keyColumns, keyOfPackage, type IdentityKey } from './identity-key.ts'
import { readLanguagePackage } from './language-package.ts'
import { readOsPackage } from './distributions/os-package.ts'
import { sourceNameOf } from './distributions/source-names.ts'
import { statesSource } from './distributions/source-package.ts'
import { isPossibleName } from './registries/possible-names.ts'
import { purlSubject, type NamedPackage, type PackageReading, type StatedPurl } from './package-reading.ts'
import { namesOfComponent } from './product-names/names-of-component.ts'
import { isKernel, repositoriesOf } from './repositories/named-repositories.ts'
import { statedVersion } from '../formats/stated-version.ts'
import type { Surroundings } from './surroundings.ts'

/** Raised whenever a rule of this folder gives some component another identity, or more of its digests are read: stored components are then identified again. */
export const identityGeneration = 25

/**
 * The part of the document on which a component's identity depends, for its hash: the operating system, unless all purls belong
 * to registries of languages, and whether a package without source is its own.
 */
export function decidingSurroundings(
  component: SbomComponent,
  { operatingSystem, kindsWithSources, goModules }: Surroundings,
): unknown {
  const types = purlsOf(component).map(typeOfPurl)
  const standsAlone = types.length > 0 && types.every((type) => registryOf(type) !== undefined)
  if (standsAlone) return goModules.size === 0 ? null : decidingModule(component, goModules)
  const isOwnSource = !statesSource(component) && types.some((type) => kindsWithSources.has(type))
  return isOwnSource ? [operatingSystem, 'own source'] : operatingSystem
}

/**
 * Names a component as vulnerability data would: by its purls, or by its CPE when it has no purl of a registry or
 * distribution. Generated CPEs are the main source of false matches, so a usable purl always wins. Where there is neither, records that name
 * products by words may mean it: that does not affect coverage.
 */
export function identify(component: SbomComponent, surroundings: Surroundings): ComponentIdentity {
  const purls = purlsOf(component).map((text): StatedPurl => ({ text, read: parsePurl(text) }))
  const readings = purls.map((purl) => readPurl(purl, component, surroundings))
  const repositories = repositoriesOf(purls, component)
  const packages = readings
    .filter((reading) => reading.kind === 'package')
    // the kernel is no action, whatever its purl looks like
    .filter(({ named }) => !(named.needsRecord && repositories.some(isKernel)))
    .map((reading) => withRange(reading, component))
  const keys = repositories.map(repositoryKey)
  const byPackages = packageIdentity(packages, component, keys)
  const mayUseCpe = readings.every((reading) => reading.mayUseCpe)
  const byCpe = mayUseCpe ? cpeIdentity(component) : null
  if (byCpe !== null) return withKeys(byCpe, [...packages.map(({ named }) => repositoryKey(named)), ...keys])
  const known = byPackages ?? repositoryIdentity(repositories, keys) ?? undecidedIdentity(readings, component)
  const names = [
    ...namesOfComponent(component, purls, repositories[0]?.version),
    ...sourceNameOf(known, component, purls),
  ]
  return names.length === 0 ? known : { ...known, further: furtherKeys(known, [...known.further, ...names]) }
}

function undecidedIdentity(readings: readonly PackageReading[], component: SbomComponent): ComponentIdentity {
  const reading = readings.find(({ kind }) => kind === 'not_covered')
  if (reading?.kind === 'not_covered')
    return notCovered(reading.subject, reading.version, 'purl', reading.reason)
  const reason = isDistribution(component)
    ? 'The packages of a distribution are checked one by one, not the distribution itself.'
    : 'The component has neither a purl nor a CPE of one product.'
  return notCovered(nameSubject(component), statedVersion(component.version), 'name', reason)
}

function purlsOf({ purl, otherPurls }: SbomComponent): string[] {
  return purl === null ? otherPurls : [purl, ...otherPurls]
}

/**
 * The id of an identity, over what tells identities apart. Equal hashes have equal identities: everything else follows from these
 * columns.
 */
export function identityHash(identity: ComponentIdentity): string {
  const { packageKey, subject, version, release, stream, scheme, basis, further, mayBeBuilt } = identity
  const built = mayBeBuilt ? ['may be built'] : []
  const columns = [packageKey, subject, version, release, stream, scheme, ...statedBasis(basis), ...built]
  if (further.length === 0) return hashId(columns)
  const keys = further.map((key) => [...keyColumns(key), key.needsRecord, ...statedBasis(key.basis)])
  return hashId([...columns, keys])
}

/** The version of a guessed CPE is not its author's, and the name of a foreign purl not the public one; all other bases follow from the columns. */
function statedBasis(basis: IdentityBasis): IdentityBasis[] {
  return basis === 'guessed_cpe' || basis === 'foreign_purl' ? [basis] : []
}

function readPurl(
  { text, read: purl }: StatedPurl,
  component: SbomComponent,
  surroundings: Surroundings,
): PackageReading {
  if (purl === undefined) {
    const version = statedVersion(component.version)
    return {
      kind: 'not_covered',
      reason: 'The purl cannot be read.',
      subject: text.trim(),
      version,
      mayUseCpe: true,
    }
  }
  if (isGoPackage(purl)) return readGoPackage(purl, component, surroundings.goModules)
  return (
    readOsPackage(purl, component, surroundings) ??
    readLanguagePackage(purl, component) ?? {
      kind: 'not_covered',
      reason: `There is no vulnerability data on packages of the purl type ${purl.type}.`,
      subject: purlSubject(purl),
      version: statedVersion(purl.version ?? component.version),
      mayUseCpe: true,
    }
  )
}

type Package = Extract<PackageReading, { kind: 'package' }>

/** A range of versions is compared where no single one is stated. */
function withRange(reading: Package, { version }: SbomComponent): Package {
  const range = version?.trim() ?? ''
  if (reading.named.version !== '' || !isVers(range)) return reading
  return { ...reading, named: { ...reading.named, version: range } }
}

/** By the purl that data are most likely to decide by, the first of several alike; the others are further keys. null: there is none. */
function packageIdentity(
  packages: readonly Package[],
  component: SbomComponent,
  repositories: readonly (IdentityKey | undefined)[],
): ComponentIdentity | null {
  const [first, ...others] = packages
    .map((reading) => ({ reading, identity: identityOfPackage(reading, component) }))
    .toSorted((one, other) => rankOf(one.identity) - rankOf(other.identity))
  if (first === undefined) return null
  const keys = [keyOfOrigin(first.reading), ...others.flatMap(({ reading }) => keysOfPurl(reading))]
  return withKeys(first.identity, [...keys, ...repositories])
}

/** For what no registry has, the first of its repositories, under which the others are further keys. */
function repositoryIdentity(
  [first]: readonly NamedPackage[],
  keys: readonly (IdentityKey | undefined)[],
): ComponentIdentity | null {
  if (first === undefined) return null
  const { ecosystem, name, version, release, stream, needsRecord } = first
  const packageKey = keyOf(ecosystem, name)
  if (packageKey === undefined) return null
  const known = { ecosystem: ecosystem.name, packageKey, release, version, stream, scheme: ecosystem.scheme }
  const subject = needsRecord ? `git:${name}` : ''
  const identity = { ...known, ...assessVersion(known), subject, basis: 'purl', mayBeBuilt: false } as const
  return withKeys({ ...identity, further: [] }, keys)
}

function rankOf({ packageKey, decidability, subject, basis }: ComponentIdentity): number {
  if (packageKey === null) return 8
  const isOfPublicRegistry = basis !== 'foreign_purl'
  return (decidability === 'covered' ? 0 : 4) + (subject === '' ? 0 : 2) + (isOfPublicRegistry ? 0 : 1)
}

function identityOfPackage(
  { named, subject, mayBeBuilt }: Package,
  { isExternal }: SbomComponent,
): ComponentIdentity {
  const { ecosystem, name, version, release, stream, basis } = named
  const packageKey = keyOf(ecosystem, name)
  if (packageKey === undefined || !isPossibleName(ecosystem, name)) {
    const reason = `No package of ${ecosystem.name} can have such a name.`
    return notCovered(`${ecosystem.name}/${name}`, version, 'purl', reason)
  }
  if (version === '' && isExternal === true) {
    const reason =
      'The environment provides the component, and the document states neither its version nor a range.'
    return notCovered(`${ecosystem.name}/${name}`, version, 'purl', reason)
  }
  const known = { ecosystem: ecosystem.name, packageKey, release, version, stream, scheme: ecosystem.scheme }
  return { ...known, ...assessVersion(known), subject, basis, mayBeBuilt, further: [] }
}

function keyOfOrigin({ origin }: Package): IdentityKey | undefined {
  return origin === null ? undefined : keyOfPackage(origin, 'origin')
}

function keysOfPurl(reading: Package): (IdentityKey | undefined)[] {
  return [keyOfPackage(reading.named, 'purl'), keyOfOrigin(reading)]
}

/** A repository's own key, by which a record that names it decides too. */
function repositoryKey(named: NamedPackage): IdentityKey | undefined {
  return keyOfPackage(named, 'repository')
}

function withKeys(
  identity: ComponentIdentity,
  keys: readonly (IdentityKey | undefined)[],
): ComponentIdentity {
  const given = keys.filter((key) => key !== undefined)
  // Most have none, and an identity has many fields.
  if (identity.packageKey === null || given.length === 0) return identity
  return { ...identity, further: furtherKeys(identity, [...identity.further, ...given]) }
}

function nameSubject({ type, group, name }: SbomComponent): string {
  return [type ?? '', group ?? '', name].join('/')
}

function notCovered(
  subject: string,
  version: string,
  basis: ComponentIdentity['basis'],
  reason: string,
): ComponentIdentity {
  return {
    ecosystem: null,
    packageKey: null,
    release: null,
    version,
    stream: '',
    scheme: null,
    versionKey: null,
    subject,
    decidability: 'not_covered',
    reason,
    basis,
    mayBeBuilt: false,
    further: [],
  }
}
