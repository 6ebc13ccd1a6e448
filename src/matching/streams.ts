import { sql, type RawBuilder } from 'kysely'
import { cpeAttribute } from '../identities/cpe-reading.ts'
import { unknownModule } from '../identities/distributions/streams.ts'

type Streams = {
  /** Whether the scheme can be `generic`: what is asked then costs more to plan than all the rest. */
  isGeneric: boolean
  range: RawBuilder<unknown>
  /** The version that ends the range, which tells how a module counts. */
  upperText: RawBuilder<unknown>
  identity: RawBuilder<unknown>
  version: RawBuilder<unknown>
  scheme: RawBuilder<unknown>
}

/** Of a range `r` and an identity `s`. */
export const streamsOfPair: Streams = {
  isGeneric: true,
  range: sql.ref('r.stream'),
  upperText: sql.ref('r.upper_text'),
  identity: sql.ref('s.stream'),
  version: sql.ref('s.version'),
  scheme: sql.ref('r.scheme'),
}

/** The same of a package, which is not named by CPE. */
export const streamsOfPackages: Streams = { ...streamsOfPair, isGeneric: false }

const separator = sql.lit(cpeAttribute.separator)
const pattern = sql.lit(cpeAttribute.pattern)
const attribute = (stream: RawBuilder<unknown>, place: number) =>
  sql`split_part(${stream}, ${separator}, ${sql.lit(place)})`

/**
 * Whether a range is about the line of fixes that an identity belongs to, which is as a rule the same line. Of products named by CPE it is one
 * that contradicts the identity in no attribute. Where one side names no architecture, any matches; where the erratum of a module names no
 * stream, any does. A module build without a label is of the streams that its version allows.
 */
export function streamsMeet(streams: Streams): RawBuilder<boolean> {
  const { range, identity, scheme, isGeneric } = streams
  const namedByCpe = isGeneric ? sql`or (${scheme} = 'generic' and ${contradictsNowhere(streams)})` : sql``
  return sql<boolean>`(${range} = ${identity}
    or (${scheme} in ('generic', 'apk') and '' in (${range}, ${identity}))
    ${namedByCpe}
    or (${range} = ${sql.lit(unknownModule)} and strpos(${identity}, ':') > 0)
    or (${identity} = ${sql.lit(unknownModule)} and strpos(${range}, ':') > 0 and ${versionAllows(streams)}))`
}

/** NISTIR 7696, 6.2: what is said of one attribute is disjoint where both sides say something else, but for patterns, which meet any value. */
function contradictsNowhere({ range, identity }: Streams): RawBuilder<unknown> {
  const meet = (place: number) => {
    const [one, other] = [attribute(range, place), attribute(identity, place)]
    return sql`(${one} in ('', ${other}) or ${other} = '' or (${pattern} in (${one}, ${other}) and '-' not in (${one}, ${other})))`
  }
  const [ofRange, ofIdentity] = [
    attribute(range, cpeAttribute.update),
    attribute(identity, cpeAttribute.update),
  ]
  // of two updates it only counts that none is not some: values are places in the order of versions
  const updatesMeet = sql`(${ofRange} = ${ofIdentity} or '' in (${ofRange}, ${ofIdentity}) or '-' not in (${ofRange}, ${ofIdentity}))`
  return sql.join([...cpeAttribute.compared.map(meet), updatesMeet], sql` and `)
}

/**
 * Whether a product named by CPE that states no single version may be of a range: where there is no version (`-`) it is of none that is
 * named, nor of a pattern; and no pattern is of what there is none of (NISTIR 7696, table 6-2).
 */
export function unstatedVersionMeets(key: string, range: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${range}.${column}`)
  return sql<boolean>`case ${versionInStream(key)}
    when '-' then ${versionInStream(range)} <> ${pattern} and (${of('kind')} = 'range' or ${of('introduced')} = '-')
    when ${pattern} then ${of('kind')} = 'range' or ${of('introduced')} <> '-'
    else true
  end`
}

/** What a product named by CPE states as its version, where it is compared as the tag behind which that snapshot was made; '' otherwise. */
export function snapshotInStream(key: string): RawBuilder<string> {
  const version = versionInStream(key)
  return sql<string>`case when ${sql.ref(`${key}.version`)} <> '' and ${version} not in ('-', ${pattern}) then ${version} else '' end`
}

function versionInStream(table: string): RawBuilder<unknown> {
  return attribute(sql.ref(`${table}.stream`), cpeAttribute.version)
}

/**
 * Where the fix counts as the stream does (`nodejs:10` is fixed in 10.24.0), a version that does not is of another stream. Packages that
 * count for themselves (npm in the same module) may be of any.
 */
function versionAllows({ range, upperText, version }: Streams): RawBuilder<unknown> {
  const stream = sql`split_part(${range}, ':', 2)`
  return sql`(${stream} !~ '^[0-9]+([.][0-9]+)*$' or not coalesce(${countsAs(upperText, stream)}, false)
      or ${countsAs(version, stream)})`
}

function countsAs(version: RawBuilder<unknown>, stream: RawBuilder<unknown>): RawBuilder<unknown> {
  const withoutEpoch = sql`regexp_replace(${version}, '^[0-9]+:', '')`
  return sql`(starts_with(${withoutEpoch}, ${stream} || '.') or starts_with(${withoutEpoch}, ${stream} || '-'))`
}

/** The reason of the grade where the streams meet without being the same; null where that leaves no doubt. */
export function streamDoubt({ range, identity, scheme, isGeneric }: Streams): RawBuilder<string | null> {
  const isNarrower = (place: number) =>
    sql`(${attribute(range, place)} not in ('', '-') and ${attribute(identity, place)} in ('', ${pattern}))`
  const others = cpeAttribute.compared.filter((place) => place !== cpeAttribute.targetSw)
  const namedByCpe = sql`when ${scheme} = 'generic' then case
      when ${isNarrower(cpeAttribute.targetSw)} then 'target'
      when ${sql.join(others.map(isNarrower), sql` or `)} then 'edition'
    end`
  return sql<string | null>`case
    when (${range} = ${identity} and ${range} <> ${sql.lit(unknownModule)}) or ${range} = '' then null
    when ${scheme} = 'apk' then 'architecture'
    ${isGeneric ? namedByCpe : sql``}
    when ${identity} = ${sql.lit(unknownModule)} and ${range} <> ${sql.lit(unknownModule)} then 'module_unlabelled'
    else 'module_unknown'
  end`
}
