import type { DraftVulnerability } from '../../contract/advisories/shapes.ts'
import { scoreCvss, type CvssScore } from '../../formats/cvss/cvss.ts'
import type { FieldPlaces } from './field-places.ts'
import { productIds, type PlacedProduct } from './product-tree.ts'

type PlacedScore = { index: number; vector: string; score: CvssScore; products: string[] }

type At = { at: string; field: string; places: FieldPlaces; products: readonly PlacedProduct[] }

/**
 * The scores of a vulnerability (CSAF 2.0, 3.2.3.13): version 2 is given beside version 3 where both are about the same products. A vector that
 * CSAF 2.0 has no score for is left out, which `checkContent` reports. One about no product is left out as well: the standard does not allow it.
 */
export function documentScores(vulnerability: DraftVulnerability, { at, field, places, products }: At) {
  const scores = (vulnerability.scores ?? []).flatMap(({ vector, versionIds }, index) => {
    const read = readVector(vector)
    const named = productIds(scoredVersions(vulnerability, versionIds), products)
    return read === undefined || named.length === 0 ? [] : [{ index, ...read, products: named }]
  })
  const together = [...Map.groupBy(scores, (one) => one.products.join(' ')).values()]
  return together.flatMap(paired).map((entry, place) => {
    places.add(`${at}/scores/${place}`, `${field}.scores.${entry[0].index}`)
    const [first, beside] = entry
    return { ...cvssOf(first), ...(beside && cvssOf(beside)), products: first.products }
  })
}

/** Version 2 beside the newest version 3. */
function paired(scores: readonly PlacedScore[]): [PlacedScore, ...PlacedScore[]][] {
  const third = scores.filter(({ score }) => score.version !== '2.0')
  const second = scores.filter(({ score }) => score.version === '2.0')
  const newest = third.find(({ score }) => score.version === '3.1') ?? third[0]
  const beside = newest === undefined ? undefined : second[0]
  const alone = second.filter((one) => one !== beside)
  return [...third, ...alone].map((one) => (one === newest && beside !== undefined ? [one, beside] : [one]))
}

/** The versions of a score: those it names, otherwise every one that is affected or under investigation. */
export function scoredVersions({ statuses }: DraftVulnerability, versionIds: readonly string[]): string[] {
  if (versionIds.length > 0) return [...versionIds]
  return statuses
    .filter(({ status }) => status === 'affected' || status === 'under_investigation')
    .map(({ versionId }) => versionId)
}

/** A vector that CSAF 2.0 has a place for, as it is written there; undefined: it is none. */
export function readVector(text: string): { vector: string; score: CvssScore } | undefined {
  const vector = text.trim().replace(/^\((.*)\)$/, '$1')
  const score = scoreCvss(vector)
  return score === undefined || score.version === '4.0' ? undefined : { vector, score }
}

function cvssOf({ vector, score: { version, score, severity } }: PlacedScore): object {
  if (version === '2.0') return { cvss_v2: { baseScore: score, vectorString: vector, version } }
  const baseSeverity = severity.toUpperCase()
  return { cvss_v3: { baseScore: score, baseSeverity, vectorString: vector, version } }
}
