import { concreteText, cpePackageKey, parseCpe, type Cpe } from '../formats/cpe.ts'
import type { SbomComponent } from '../formats/sbom/document.ts'
import type { ComponentIdentity } from './component-identity.ts'
import { comparableVersion, cpeVersion, narrowerAttributes, tagInOrder } from './cpe-reading.ts'
import { distributionOf } from './distributions/releases.ts'
import { assessVersion, furtherKeys, type IdentityKey } from './identity-key.ts'
import { statedVersion, withoutPortRevision } from '../formats/stated-version.ts'

/** A CPE of Debian as such would have every vulnerability that any package of it ever had. */
export function isDistribution({ type, name }: SbomComponent): boolean {
  return type === 'operating-system' && distributionOf(name) !== null
}

/**
 * By the CPEs that its author states and those that tools have concluded: all of them name it, the surest is its own key, the others are further keys. null when
 * none names one product.
 */
export function cpeIdentity(component: SbomComponent): ComponentIdentity | null {
  const [own, ...others] = readCpes(component)
    .map((read) => ({ read, key: keyOfCpe(read) }))
    .toSorted((one, other) => rankOf(one.key) - rankOf(other.key))
  if (own === undefined) return null
  const { origin: _, needsRecord: __, ...key } = own.key
  const further = others.map(({ read, key: other }): IdentityKey => {
    return { ...other, origin: read.stated === own.read.stated ? 'part' : 'cpe' }
  })
  const { reason } = assessVersion(key)
  return { ...key, reason, subject: '', mayBeBuilt: false, further: furtherKeys(key, further) }
}

type ReadCpe = {
  /** As written; one that leaves the part open is read as each part. */
  stated: string
  cpe: Cpe
  packageKey: string
  version: string
  /** The version, part or product is not its author's own statement. */
  isGuessed: boolean
}

/** With more names than this, one that leaves the part open is read only as the likeliest. */
const maxOfEveryPart = 21

function readCpes(component: SbomComponent): ReadCpe[] {
  if (isDistribution(component)) return []
  const { cpe, otherCpes = [], concludedCpes = [] } = component
  const stated = [...(cpe === null ? [] : [cpe]), ...otherCpes]
  const maxParts = stated.length + concludedCpes.length > maxOfEveryPart ? 1 : 3
  const read = (text: string) => readCpe(text, component, maxParts)
  const authored = stated.flatMap(read)
  const concluded = concludedCpes.flatMap(read)
  return [
    ...withoutContradictions(authored, component),
    ...concluded.map((each) => ({ ...each, isGuessed: true })),
  ]
}

function readCpe(stated: string, component: SbomComponent, maxParts: number): ReadCpe[] {
  const read = parseCpe(stated)
  const parts = read === undefined ? [] : withParts(read, component)
  return parts.slice(0, maxParts).flatMap((cpe) => {
    const packageKey = cpePackageKey(cpe)
    const ownVersion = cpeVersion(cpe)
    const version = withoutPortRevision(statedVersion(ownVersion ?? component.version))
    const isGuessed = ownVersion === null || parts.length > 1
    return packageKey === undefined ? [] : [{ stated, cpe, packageKey, version, isGuessed }]
  })
}

/** Of several with different versions only the one with the component's version is certain, and none where the component states another. */
function withoutContradictions(reads: readonly ReadCpe[], { version }: SbomComponent): ReadCpe[] {
  const versions = new Set(
    reads.filter(({ isGuessed }) => !isGuessed).map((read) => comparableVersion(read.version)),
  )
  if (versions.size < 2) return [...reads]
  const own = comparableVersion(statedVersion(version))
  return reads.map((read) => ({
    ...read,
    isGuessed: read.isGuessed || comparableVersion(read.version) !== own,
  }))
}

function keyOfCpe({ cpe, packageKey, version: stated, isGuessed }: ReadCpe): IdentityKey {
  const isWhole = concreteText(cpe.update) === null
  const { version, snapshot } = isWhole ? tagInOrder(stated) : { version: stated, snapshot: '' }
  const known = {
    ecosystem: 'cpe',
    release: '',
    version,
    stream: narrowerAttributes(cpe, snapshot),
    scheme: 'generic',
  } as const
  const { versionKey: key, decidability } = assessVersion(known)
  const basis = isGuessed ? 'guessed_cpe' : 'cpe'
  return { ...known, origin: 'cpe', packageKey, versionKey: key, decidability, basis, needsRecord: false }
}

function rankOf({ decidability, basis }: IdentityKey): number {
  return (decidability === 'covered' ? 0 : 2) + (basis === 'cpe' ? 0 : 1)
}

/** The component's type says which part of a CPE it is; null: it may be an application. */
function partOfType({ type }: SbomComponent): 'o' | 'h' | null {
  if (type === 'operating-system' || type === 'firmware') return 'o'
  return type === 'device' ? 'h' : null
}

/**
 * Layers of Yocto write ANY for the part of every recipe, which includes each of the three (NISTIR 7696, 6.1). The likeliest comes first: of the
 * products that layers name, the kernel alone is an operating system.
 */
function withParts(cpe: Cpe, component: SbomComponent): Cpe[] {
  if (cpe.part.kind !== 'any') return [cpe]
  const told = partOfType(component)
  const isKernel = concreteText(cpe.product) === 'linux_kernel'
  const parts = told === null ? (isKernel ? ['o', 'a', 'h'] : ['a', 'o', 'h']) : [told]
  return parts.map((text) => ({ ...cpe, part: { kind: 'text', text, hasWildcard: false } }))
}
