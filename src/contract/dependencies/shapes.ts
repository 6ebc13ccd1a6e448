import { Type, type Static } from 'typebox'
import { Page } from '../page.ts'
import { nullable } from '../schema.ts'
import { severities } from '../severities.ts'

/**
 * Where the tree of an SBOM begins. `product`: at the dependencies of the product. `top`: the document does not state those, so it begins
 * at the components that depend on others and on which none depends. `nowhere`: the document states no dependencies.
 */
export const TreeStart = Type.Enum(['product', 'top', 'nowhere'])
export type TreeStart = Static<typeof TreeStart>

/** What an SBOM states about who depends on whom. */
export const DependencyTree = Type.Object({
  start: TreeStart,
  /** The product as the document calls it; null: it names none. */
  product: nullable(Type.Object({ name: Type.String(), version: nullable(Type.String()) })),
  /** Without the product. */
  components: Type.Number(),
  links: Type.Number(),
  /** How many the document states beyond those that are kept. */
  linksLeftOut: Type.Number(),
  /** How many rows the tree begins with, and how many components it leads to. */
  first: Type.Number(),
  reached: Type.Number(),
  unreached: Type.Number(),
  /** Of the unreached ones: how many have open findings. */
  unreachedWithFindings: Type.Number(),
})
export type DependencyTree = Static<typeof DependencyTree>

/** A component where it is in the tree. */
export const DependencyRow = Type.Object({
  number: Type.Number(),
  group: nullable(Type.String()),
  name: Type.String(),
  version: nullable(Type.String()),
  purl: nullable(Type.String()),
  /** On how many components it depends. */
  dependencies: Type.Number(),
  /** Steps of the shortest path from the product, 1 for a direct dependency; null: no path leads there. */
  steps: nullable(Type.Number()),
  /** Open findings on it that are not declared not affected or fixed. */
  findings: Type.Number(),
  /** The worst severity among them. */
  severity: nullable(Type.Enum(severities)),
  isExploited: Type.Boolean(),
  /** The worst severity of the findings on what it depends on, at any depth; null: there are none. */
  severityBelow: nullable(Type.Enum(severities)),
})
export type DependencyRow = Static<typeof DependencyRow>

export const DependencyPage = Page(DependencyRow)
export type DependencyPage = Static<typeof DependencyPage>

export const DependencyStep = Type.Pick(DependencyRow, ['number', 'name', 'version'])
export type DependencyStep = Static<typeof DependencyStep>

/** Why a component is in the product. */
export const DependencyPaths = Type.Object({
  component: DependencyRow,
  /**
   * The shortest paths from the product, the shortest first: the components in between and the component itself. Empty where no path leads
   * to it, or where the shortest has more than `longestPath` steps.
   */
  paths: Type.Array(Type.Array(DependencyStep)),
  /** Through which of the tree's first rows it comes in, by paths of any length: how many, and the first of them by name. */
  through: Type.Object({ total: Type.Number(), rows: Type.Array(DependencyStep) }),
  /** On how many components it depends, and how many depend on it. */
  dependents: Type.Number(),
})
export type DependencyPaths = Static<typeof DependencyPaths>

export const dependencyLimits = { paths: 5, longestPath: 64, through: 20 } as const
