import { concreteText, cpePackageKey, parseCpe, type Cpe } from '../cpe.ts'
import { parsePurl } from '../purl/purl.ts'
import type { OperatingSystem, SbomComponent } from '../sbom/document.ts'
import { isOrderable, versionKey, type VersionScheme } from '../versions/ordering.ts'
import { cpeVersion, narrowerAttributes } from './cpe-reading.ts'
import { keyOf, registryOf } from './ecosystems.ts'
import { hashId } from './hash-id.ts'
import { readLanguagePackage } from './language-package.ts'
import { readOsPackage } from './distributions/os-package.ts'
import { isPossibleName } from './possible-names.ts'
import { purlSubject, type PackageReading } from './package-reading.ts'
import { distributionOf } from './distributions/releases.ts'
import { statedVersion } from './stated-version.ts'
import { obstacleOf } from './distributions/streams.ts'
import type { Decidability, IdentityBasis } from '../../contract/identity.ts'

/** What a component is to vulnerability data; shared by every workspace that has the component. */
export type ComponentIdentity = {
  /** OSV directory name; `cpe` for a component identified by CPE; null when none covers it. */
  ecosystem: string | null
  packageKey: string | null
  /** '' when the ecosystem has no releases; null when it has and the component's is unknown, or nothing covers it. */
  release: string | null
  /** The version that is compared: of the source where data is by source, epoch folded in; '' when there is none. */
  version: string
  scheme: VersionScheme | null
  versionKey: Uint8Array | null
  /** The line of fixes inside a release (streams.ts); '' for the ordinary one. */
  stream: string
  /**
   * Names the thing when there is no package key, so that coverage counts it once. With a package key: data decide only where a record names
   * the package. '' otherwise.
   */
  subject: string
  decidability: Decidability
  /** English sentence when decidability is not `covered`. */
  reason: string | null
  basis: IdentityBasis
}

/** Counts up whenever a rule of this folder gives some component another identity: stored components are then identified again. */
export const identityGeneration = 6

/**
 * What of the document around a component its identity depends on: the operating system, unless the purl belongs to a language
 * registry.
 */
export function surroundings(
  { purl }: SbomComponent,
  operatingSystem: OperatingSystem | null,
): OperatingSystem | null {
  const type = purl === null ? undefined : /^pkg:\/*([^/]*)\//.exec(purl)?.[1]
  const standsAlone = type !== undefined && registryOf(type) !== undefined
  return standsAlone ? null : operatingSystem
}

/**
 * Names a component as vulnerability data would: by its purl, or by its CPE when it has no purl of a registry or
 * distribution. Generated CPEs are the main source of false matches, so a usable purl always wins.
 */
export function identify(
  component: SbomComponent,
  operatingSystem: OperatingSystem | null,
): ComponentIdentity {
  const byPurl = component.purl === null ? null : readPurl(component.purl, component, operatingSystem)
  if (byPurl?.kind === 'package') return packageIdentity(byPurl)
  const byCpe = byPurl?.mayUseCpe === false ? null : cpeIdentity(component)
  if (byCpe !== null) return byCpe
  if (byPurl !== null) return notCovered(byPurl.subject, byPurl.version, 'purl', byPurl.reason)
  const reason = isDistribution(component)
    ? 'The packages of a distribution are checked one by one, not the distribution itself.'
    : 'The component has neither a purl nor a CPE of one product.'
  return notCovered(nameSubject(component), statedVersion(component.version), 'name', reason)
}

/**
 * The id of an identity, over what tells identities apart. Equal hashes have equal identities: everything else follows from these
 * columns.
 */
export function identityHash(identity: ComponentIdentity): string {
  const { packageKey, subject, version, release, stream, scheme, basis } = identity
  // the version of such a name is not its author's word, and such a purl's name not the public one; all other bases follow from the columns
  const guess = basis === 'guessed_cpe' || basis === 'foreign_purl' ? [basis] : []
  return hashId([packageKey, subject, version, release, stream, scheme, ...guess])
}

function readPurl(
  text: string,
  component: SbomComponent,
  operatingSystem: OperatingSystem | null,
): PackageReading {
  const purl = parsePurl(text)
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
  return (
    readOsPackage(purl, component, operatingSystem) ??
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

function packageIdentity(reading: Package): ComponentIdentity {
  const { ecosystem, name, version, release, stream, subject, isForeign } = reading
  const packageKey = keyOf(ecosystem, name)
  if (packageKey === undefined || !isPossibleName(ecosystem, name)) {
    const reason = `No package of ${ecosystem.name} can have such a name.`
    return notCovered(`${ecosystem.name}/${name}`, version, 'purl', reason)
  }
  const known = { ecosystem: ecosystem.name, packageKey, release, version, stream, scheme: ecosystem.scheme }
  return { ...known, ...assessVersion(known), subject, basis: isForeign ? 'foreign_purl' : 'purl' }
}

type ReleaseVersion = Pick<ComponentIdentity, 'ecosystem' | 'release' | 'version' | 'stream'> & {
  scheme: VersionScheme
}
type Assessment = Pick<ComponentIdentity, 'versionKey' | 'decidability' | 'reason'>

/**
 * The first of the obstacles between a package and its ranges, in the order in which they hide more. It follows from these columns of a
 * stored identity, so that it can be worked out again when an order of versions changes.
 */
export function assessVersion({ ecosystem, release, version, stream, scheme }: ReleaseVersion): Assessment {
  const undecided = { versionKey: null }
  if (version === '') {
    return { ...undecided, decidability: 'no_version', reason: 'The component states no single version.' }
  }
  if (release === null) {
    const reason = `The release of ${ecosystem ?? ''} that the package belongs to is not known.`
    return { ...undecided, decidability: 'release_unknown', reason }
  }
  const key = versionKey(scheme, version)
  const obstacle = obstacleOf(stream) ?? disorder(scheme, version, key)
  if (obstacle !== null) return { ...undecided, decidability: 'uncomparable', reason: obstacle }
  return { versionKey: key, decidability: 'covered', reason: null }
}

function disorder(scheme: VersionScheme, version: string, key: Uint8Array | null): string | null {
  if (key !== null || isOrderable(scheme, version)) return null
  return scheme === 'generic'
    ? 'The version of a product named by CPE has no certain order.'
    : `The version does not follow the ${scheme} rules.`
}

/** A CPE of Debian as such would have every vulnerability that any package of it ever had. */
function isDistribution({ type, name }: SbomComponent): boolean {
  return type === 'operating-system' && distributionOf(name) !== null
}

/** null when the component has no CPE of one product. */
function cpeIdentity(component: SbomComponent): ComponentIdentity | null {
  const stated = component.cpe === null || isDistribution(component) ? undefined : parseCpe(component.cpe)
  const cpe = stated && withPart(stated, component)
  const packageKey = cpe && cpePackageKey(cpe)
  if (cpe === undefined || packageKey === undefined) return null
  const ownVersion = cpeVersion(cpe)
  const version = statedVersion(ownVersion ?? component.version)
  const isGuessed = ownVersion === null || (cpe !== stated && partOfType(component) === null)
  const basis = isGuessed ? 'guessed_cpe' : 'cpe'
  const known: ReleaseVersion = {
    ecosystem: 'cpe',
    release: '',
    version,
    stream: narrowerAttributes(cpe),
    scheme: 'generic',
  }
  return { ...known, packageKey, ...assessVersion(known), subject: '', basis }
}

/** The component's type says which part of a CPE it is; null: it may be an application. */
function partOfType({ type }: SbomComponent): 'o' | 'h' | null {
  if (type === 'operating-system' || type === 'firmware') return 'o'
  return type === 'device' ? 'h' : null
}

/** Layers of Yocto write ANY for the part of every recipe. Of the products they name, the kernel alone is an operating system. */
function withPart(cpe: Cpe, component: SbomComponent): Cpe {
  if (cpe.part.kind !== 'any') return cpe
  const isKernel = concreteText(cpe.product) === 'linux_kernel'
  const part = partOfType(component) ?? (isKernel ? 'o' : 'a')
  return { ...cpe, part: { kind: 'text', text: part, hasWildcard: false } }
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
  }
}
