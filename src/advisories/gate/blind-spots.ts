import { justifications } from '../../contract/vex/shapes.ts'
import type { FailedTest } from './messages.ts'

type Remark = { label?: string; product_ids?: string[]; group_ids?: string[] }
type Document = {
  product_tree?: { product_groups?: { group_id: string; product_ids: string[] }[] }
  vulnerabilities?: { flags?: Remark[]; remediations?: Remark[] }[]
}

/** The flags that justify: a product has at most one of them (CSAF 2.0, 6.1.33). */
const justifying: ReadonlySet<string> = new Set(justifications)

/**
 * The mandatory tests 6.1.29, 6.1.32 and 6.1.33 of CSAF 2.0, on each vulnerability separately: the library skips them for the whole document as soon
 * as one vulnerability has no remediations or no flags. The document has passed the schema.
 */
export function blindSpots(document: Document): FailedTest[] {
  const groups = new Map(
    (document.product_tree?.product_groups ?? []).map(({ group_id, product_ids }) => [group_id, product_ids]),
  )
  return (document.vulnerabilities ?? []).flatMap(({ flags = [], remediations = [] }, index) => [
    ...nameless(remediations).map((place) => ({
      test: 'mandatoryTest_6_1_29',
      pointer: `/vulnerabilities/${index}/remediations/${place}`,
      message: 'the remediation names no product',
    })),
    ...nameless(flags).map((place) => ({
      test: 'mandatoryTest_6_1_32',
      pointer: `/vulnerabilities/${index}/flags/${place}`,
      message: 'the flag names no product',
    })),
    ...doubleFlags(flags, groups).map((place) => ({
      test: 'mandatoryTest_6_1_33',
      pointer: `/vulnerabilities/${index}/flags/${place}`,
      message: 'a product has two justifications',
    })),
  ])
}

function nameless(remarks: readonly Remark[]): number[] {
  return remarks.flatMap(({ product_ids = [], group_ids = [] }, place) =>
    product_ids.length + group_ids.length === 0 ? [place] : [],
  )
}

/** The flags that justify a product which another label has justified before. */
function doubleFlags(flags: readonly Remark[], groups: ReadonlyMap<string, readonly string[]>): number[] {
  const labels = new Map<string, string>()
  return flags.flatMap(({ label = '', product_ids = [], group_ids = [] }, place) => {
    if (!justifying.has(label)) return []
    const products = [...product_ids, ...group_ids.flatMap((group) => groups.get(group) ?? [])]
    const isDouble = products.some((product) => (labels.get(product) ?? label) !== label)
    for (const product of products) if (!labels.has(product)) labels.set(product, label)
    return isDouble ? [place] : []
  })
}
