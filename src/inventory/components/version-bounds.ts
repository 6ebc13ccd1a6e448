import { orderingOf, type VersionScheme } from '../../versions/ordering.ts'

type Relation = '<' | '<=' | '>' | '>=' | '='
/** `<2.17`: what a version must be. */
export type VersionBound = { relation: Relation; version: string }

const maxBounds = 4
/** `=` is a part of purls; it is a bound at the beginning of a word alone. */
const boundForm = /(?:\s*([<>]=?)|(?:^|\s)(==?))\s*([^\s<>=]+)/g

/** A search as the words that name something, and the bounds of its version: `log4j-core >=2.0 <2.17`. Bounds alone name nothing and are words. */
export function readBounds(search: string): { words: string; bounds: VersionBound[] } {
  const bounds: VersionBound[] = []
  const words = search.replaceAll(
    boundForm,
    (_whole, angled: string | undefined, _equal, version: string) => {
      bounds.push({ relation: (angled ?? '=') as Relation, version })
      return ' '
    },
  )
  const isNamed = words.trim() !== ''
  return isNamed ? { words: words.trim(), bounds: bounds.slice(0, maxBounds) } : { words: search, bounds: [] }
}

/** Whether a version is within all bounds by an order of versions; not so where the order cannot compare them. */
export function isWithin(scheme: VersionScheme, version: string, bounds: readonly VersionBound[]): boolean {
  const { compare } = orderingOf(scheme)
  return bounds.every((bound) => {
    const order = compare(version, bound.version)
    return order !== undefined && holds(order, bound.relation)
  })
}

function holds(order: number, relation: Relation): boolean {
  switch (relation) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '=':
      return order === 0
  }
}
