import type { SbomDocument } from '../../formats/sbom/document.ts'
import type { ComponentRow } from './component-rows.ts'

/** Far more than any image has. The excess counts as owned by nobody, which hides nothing. */
const maxPairs = 20_000

/**
 * Which components were found by files that another component installed, as two lists of numbers of equal length: `owners[i]` owns
 * `owned[i]`, each pair once.
 */
export function ownerNumbers(
  document: SbomDocument,
  rows: readonly ComponentRow[],
  numberOf: (row: ComponentRow) => number | undefined,
): { owners: number[]; owned: number[] } {
  const pairs = new Map<string, { owner: number; owned: number }>()
  if (document.ownerships.length > 0) {
    const numbers = new Map(rows.flatMap((row) => row.references.map((ref) => [ref, numberOf(row)] as const)))
    for (const { from, to } of document.ownerships) {
      const [owner, owned] = [numbers.get(from), numbers.get(to)]
      if (owner === undefined || owned === undefined || owner === owned) continue
      if (pairs.size === maxPairs) break
      pairs.set(`${owner} ${owned}`, { owner, owned })
    }
  }
  const list = [...pairs.values()]
  return { owners: list.map(({ owner }) => owner), owned: list.map(({ owned }) => owned) }
}
