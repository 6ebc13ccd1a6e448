import { sql } from 'kysely'
import type { GradeReason, RangeKind } from '../contract/findings/shapes.ts'
import type { Tx } from '../database/connection.ts'
import { orderingOf, type VersionScheme } from '../versions/ordering.ts'
import { isInside, type VersionInterval } from '../versions/range.ts'
import { mayOverlap } from '../identities/vers/vers-overlap.ts'
import { isVers, readVers, readVersRange } from '../identities/vers/vers.ts'
import { textOfKey } from '../records/compiled-record.ts'
import { keysOfIdentities } from './identity-keys.ts'
import type { FoundMatch } from './write-matches.ts'
import { Stall } from '../platform/concurrency/stall.ts'

type KeylessIdentity = {
  id: string
  number: number
  package_key: string
  release: string
  stream: string
  scheme: VersionScheme
  version: string
}

type CandidateRange = {
  id: number
  vulnerability_id: number
  package_key: string
  release: string
  stream: string
  scheme: VersionScheme
  kind: RangeKind
  introduced: string
  /** `textKey`; null but where the end is no fix. */
  upper_key: Buffer | null
  upper_text: string | null
  upper_included: boolean
  doubt: GradeReason | null
}

/**
 * Matches identities whose ordering has no byte keys (Maven, Alpine, Pub), or that state a range of versions: SQL finds the ranges of their packages, the
 * comparator of the scheme decides. Where it cannot order the bound that would decide, the match is in doubt.
 */
export async function matchByComparator(tx: Tx, identityIds: readonly string[]): Promise<FoundMatch[]> {
  if (identityIds.length === 0) return []
  const identities = await selectKeylessIdentities(tx, identityIds)
  const ranges = groupByPackage(await selectRangesOfPackages(tx, identityIds))
  const matches: FoundMatch[] = []
  const stall = new Stall()
  for (const identity of identities) {
    if (stall.isLong) await stall.end()
    for (const range of ranges.get(packageOf(identity)) ?? []) {
      if (!isOfStream(identity, range)) continue
      const isInIt = isAffected(identity, range)
      if (isInIt === false) continue
      matches.push({
        identityId: identity.id,
        keyNumber: identity.number,
        vulnerabilityId: range.vulnerability_id,
        rangeId: range.id,
        doubt: isInIt === undefined ? 'unordered_bound' : doubtOf(identity, range),
      })
    }
  }
  return matches
}

/** Without a stated architecture it applies to any. */
function isOfStream({ stream }: KeylessIdentity, range: CandidateRange): boolean {
  return stream === range.stream || stream === '' || range.stream === ''
}

function doubtOf(identity: KeylessIdentity, range: CandidateRange): GradeReason | null {
  return isVers(identity.version) ? 'version_range' : (range.doubt ?? architectureDoubt(identity, range))
}

function architectureDoubt({ stream }: KeylessIdentity, range: CandidateRange): GradeReason | null {
  return stream === '' && range.stream !== '' ? 'architecture' : null
}

/** Whether the version lies in the range, or is the listed one; undefined: it is not known. */
function isAffected(identity: KeylessIdentity, range: CandidateRange): boolean | undefined {
  if (isVers(identity.version)) return isRangeAffected(identity, range)
  if (range.kind === 'listed') {
    return (
      range.introduced === identity.version ||
      orderingOf(identity.scheme).compare(identity.version, range.introduced) === 0
    )
  }
  const end = range.upper_text ?? (range.upper_key === null ? null : textOfKey(range.upper_key))
  return isInside(identity.scheme, identity.version, intervalOf(range, end))
}

/** What an SBOM states a range of versions of is affected where the ranges overlap. */
function isRangeAffected({ version }: KeylessIdentity, range: CandidateRange): boolean {
  const stated = readVersRange(version)
  if (stated === undefined) return false
  if (range.kind === 'listed') return readVers(version)?.(range.introduced) === true
  return mayOverlap(stated, intervalOf(range, range.upper_text))
}

function intervalOf(
  { introduced, upper_included: upperIncluded }: CandidateRange,
  upper: string | null,
): VersionInterval {
  return { introduced, upper, upperIncluded }
}

function groupByPackage(ranges: readonly CandidateRange[]): Map<string, CandidateRange[]> {
  const groups = new Map<string, CandidateRange[]>()
  for (const range of ranges) {
    const key = packageOf(range)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [range])
    else group.push(range)
  }
  return groups
}

type PackageRelease = { package_key: string; release: string; scheme: string }

function packageOf({ package_key, release, scheme }: PackageRelease): string {
  return JSON.stringify([package_key, release, scheme])
}

async function selectKeylessIdentities(tx: Tx, identityIds: readonly string[]): Promise<KeylessIdentity[]> {
  const { rows } = await sql<KeylessIdentity>`
    select id, number, package_key, release, stream, scheme, version
    from (${keysOfIdentities(identityIds)}) s
    where decidability = 'covered' and version_key is null`.execute(tx)
  return rows
}

/** Index affected_range_package. */
async function selectRangesOfPackages(tx: Tx, identityIds: readonly string[]): Promise<CandidateRange[]> {
  const { rows } = await sql<CandidateRange>`
    select r.id, r.vulnerability_id, r.package_key, r.release, r.stream, r.scheme, r.kind, r.introduced,
      r.upper_key, r.upper_text, r.upper_included, r.doubt
    from (
      select distinct package_key, release from (${keysOfIdentities(identityIds)}) s
    ) p
    join affected_range r on r.package_key = p.package_key and r.release = p.release`.execute(tx)
  return rows
}
