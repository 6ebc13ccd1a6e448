import { concreteText, type Cpe, type CpeValue } from '../formats/cpe.ts'
import { snapshotOf } from '../formats/snapshot-version.ts'
import { statedVersion, withoutPortRevision } from '../formats/stated-version.ts'
import { versionKey } from '../versions/ordering.ts'

/**
 * The one version a CPE names, its update appended (`1.1.0-beta1`): the text that the order `generic` reads, the same for
 * components and for the names in vulnerability data. An update of ANY or NA is the release itself. null: ANY, NA or a wildcard.
 */
export function cpeVersion(cpe: Cpe): string | null {
  const version = concreteText(cpe.version)
  const update = concreteText(cpe.update)
  return version === null || update === null ? version : `${version}-${update}`
}

/** A snapshot compares as the tag behind which it was made, if that has an order. `snapshot`: its own text, which a record may list; '' at the tag. */
export function tagInOrder(version: string): { version: string; snapshot: string } {
  const { tag, isAtTag } = snapshotOf(version) ?? { tag: version, isAtTag: true }
  if (versionKey('generic', tag) === null) return { version, snapshot: '' }
  return { version: tag, snapshot: isAtTag ? '' : version }
}

/** Equal for versions that are equal in the order of products named by CPE. */
export function comparableVersion(text: string): string {
  const version = withoutPortRevision(text)
  const key = versionKey('generic', version)
  return key === null ? version.toLowerCase() : Buffer.from(key).toString('hex')
}

/** Of CPEs with different versions those with the component's version, or else the first one's; always with those that state none. */
export function withoutOtherVersions(cpes: readonly Cpe[], componentVersion: string | null): readonly Cpe[] {
  if (cpes.length < 2) return cpes
  const versionOf = (cpe: Cpe) => {
    const version = cpeVersion(cpe)
    return version === null ? null : comparableVersion(version)
  }
  const stated = new Set(cpes.map(versionOf).filter((version) => version !== null))
  if (stated.size < 2) return cpes
  const own = comparableVersion(statedVersion(componentVersion))
  const [first] = stated
  const meant = stated.has(own) ? own : first
  return cpes.filter((cpe) => [null, meant].includes(versionOf(cpe)))
}

/** The place of each attribute in the stream of a product named by CPE; `update` is not compared, see `narrowerAttributes`. */
export const cpeAttribute = {
  separator: '\u001f',
  pattern: '*',
  names: ['edition', 'language', 'software edition', 'runs in', 'hardware', 'other', 'update', 'version'],
  /** Counted from 1, as SQL does. */
  compared: [1, 2, 3, 4, 5, 6],
  targetSw: 4,
  update: 7,
  version: 8,
} as const

/**
 * What narrows a product named by CPE, as its stream: edition, language, software edition, target software and hardware, other, and the
 * update. Names that say different things in one of the first six are never the same product, however alike vendor and product are (NISTIR
 * 7696, 6.3: two values are disjoint, NA and a value too). The update belongs to the version; it is kept because a name with any update
 * includes it. The last is the version where it is NA or a pattern, the text of a snapshot, and empty otherwise. ANY is empty, NA is `-`, a pattern `*`: what it stands for is not compared, but never NA; '' where nothing is said.
 */
export function narrowerAttributes(cpe: Cpe, snapshot = ''): string {
  const { edition, language, swEdition, targetSw, targetHw, other, update } = cpe
  const texts = [edition, language, swEdition, targetSw, targetHw, other, update].map(attributeText)
  if (snapshot !== '') texts.push(snapshot)
  else if (cpe.version.kind !== 'any' && concreteText(cpe.version) === null)
    texts.push(attributeText(cpe.version))
  return texts.every((text) => text === '') ? '' : texts.join(cpeAttribute.separator)
}

function attributeText(value: CpeValue): string {
  if (value.kind === 'na') return '-'
  return concreteText(value) ?? (value.kind === 'any' ? '' : cpeAttribute.pattern)
}

/** A stream as people read it: `runs in node.js, update sp1`. Those of distributions stand for themselves. */
export function describeStream(stream: string): string {
  if (!stream.includes(cpeAttribute.separator)) return stream
  const texts = stream.split(cpeAttribute.separator)
  return texts
    .map((text, place) =>
      text === '' ? '' : `${cpeAttribute.names[place] ?? ''} ${text === '-' ? 'none' : text}`.trim(),
    )
    .filter((text) => text !== '')
    .join(', ')
}
