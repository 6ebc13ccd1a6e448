import { isOrderable, versionKey, type VersionScheme } from '../versions/ordering.ts'
import { isVers, readVersRange } from './vers/vers.ts'
import { withoutEpoch } from './distributions/epoch.ts'
import { obstacleOf } from './distributions/streams.ts'
import { keyOf } from './ecosystems.ts'
import type { NamedPackage } from './package-reading.ts'
import { isPossibleName } from './registries/possible-names.ts'
import type { Decidability, IdentityBasis, KeyOrigin } from '../contract/identity.ts'

/** A further name under which records may be about an identity; its matches are the identity's. */
export type IdentityKey = {
  origin: KeyOrigin
  ecosystem: string
  packageKey: string
  release: string | null
  version: string
  scheme: VersionScheme
  versionKey: Uint8Array | null
  stream: string
  decidability: Decidability
  basis: IdentityBasis
  /** Data decide by this key only where a record names the package. */
  needsRecord: boolean
}

type ReleaseVersion = {
  ecosystem: string | null
  release: string | null
  version: string
  stream: string
  scheme: VersionScheme
}
type Assessment = {
  versionKey: Uint8Array | null
  decidability: Decidability
  /** English sentence when decidability is not `covered`. */
  reason: string | null
}

/**
 * The first obstacle between a package and its ranges, the most severe one first. It follows from these columns of a stored identity,
 * so it can be recalculated when an order of versions changes.
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
  if (isVers(version)) {
    if (readVersRange(version)?.scheme === scheme)
      return { ...undecided, decidability: 'covered', reason: null }
    const reason = `The range of versions cannot be read by the ${scheme} rules.`
    return { ...undecided, decidability: 'uncomparable', reason }
  }
  const key = isBroken(ecosystem, version) ? null : versionKey(scheme, version)
  const obstacle = obstacleOf(stream) ?? disorder({ ecosystem, scheme, version }, key)
  if (obstacle !== null) return { ...undecided, decidability: 'uncomparable', reason: obstacle }
  return { versionKey: key, decidability: 'covered', reason: null }
}

function disorder(
  { ecosystem, scheme, version }: Pick<ReleaseVersion, 'ecosystem' | 'scheme' | 'version'>,
  key: Uint8Array | null,
): string | null {
  if (key !== null || (isOrderable(scheme, version) && !isBroken(ecosystem, version))) return null
  if (ecosystem === 'GIT') return 'The version is no tag that has a certain order.'
  return scheme === 'generic'
    ? 'The version of a product named by CPE has no certain order.'
    : `The version does not follow the ${scheme} rules.`
}

/** dpkg orders what begins with a letter behind every fix, but no package of Debian has such a version (Debian Policy 5.6.12), as those of opam have. */
function isBroken(ecosystem: string | null, version: string): boolean {
  return ofDebian.has(ecosystem ?? '') && !/^\d/.test(withoutEpoch(version))
}

const ofDebian: ReadonlySet<string> = new Set(['Debian', 'Ubuntu', 'Echo'])

/** The key of a package; undefined where its registry could hold none of this name. */
export function keyOfPackage(
  { ecosystem, name, release, version, stream, needsRecord, basis }: NamedPackage,
  origin: KeyOrigin,
): IdentityKey | undefined {
  const packageKey = keyOf(ecosystem, name)
  if (packageKey === undefined || !isPossibleName(ecosystem, name)) return undefined
  const place = { ecosystem: ecosystem.name, release, version, stream, scheme: ecosystem.scheme }
  const { versionKey, decidability } = assessVersion(place)
  return { ...place, origin, packageKey, versionKey, decidability, basis, needsRecord }
}

/** What tells keys apart. */
export function keyColumns({ packageKey, version, release, stream, scheme }: KeyColumns): unknown[] {
  return [packageKey, version, release, stream, scheme]
}

type KeyColumns = {
  packageKey: string | null
  version: string
  release: string | null
  stream: string
  scheme: VersionScheme | null
}

/** The most that a component can have: 21 purls with their origins, 21 CPEs that stand for three parts each, or 41 for one. */
const maxFurtherKeys = 64

/** Each once, without the identity's own key. */
export function furtherKeys(own: KeyColumns, keys: readonly IdentityKey[]): IdentityKey[] {
  // Most have none, and comparing keys costs as much as the rest of an identity.
  if (keys.length === 0) return []
  const seen = new Set([JSON.stringify(keyColumns(own))])
  const further = keys.filter((key) => {
    const columns = JSON.stringify(keyColumns(key))
    return !seen.has(columns) && seen.add(columns)
  })
  return further.slice(0, maxFurtherKeys)
}
