import type { Page } from '../page.ts'
import type { Severity } from '../severities.ts'

/**
 * Where the tree of an SBOM begins. `product`: at what the product depends on. `top`: the document does not say that, so it begins at the
 * components that depend on others and on which none depends. `nowhere`: the document states no dependencies.
 */
export type TreeStart = 'product' | 'top' | 'nowhere'

/** What an SBOM states about who depends on whom. */
export type DependencyTree = {
  start: TreeStart
  /** The product as the document calls it; null: it names none. */
  product: { name: string; version: string | null } | null
  /** Without the product. */
  components: number
  links: number
  /** Which the document states beyond those that are kept. */
  linksLeftOut: number
  /** How many rows the tree begins with, and how many components it leads to. */
  first: number
  reached: number
  unreached: number
  /** Of the unreached ones: how many have open findings. */
  unreachedWithFindings: number
}

/** A component where it is in the tree. */
export type DependencyRow = {
  number: number
  group: string | null
  name: string
  version: string | null
  purl: string | null
  /** On how many components it depends. */
  dependencies: number
  /** Steps of the shortest way from the product, 1 for what it depends on itself; null: no way leads there. */
  steps: number | null
  /** Open findings on it that are not declared not affected or fixed. */
  findings: number
  /** The worst severity among them. */
  severity: Severity | null
  isExploited: boolean
  /** The worst severity of the findings on what it depends on, at any depth; null: there are none. */
  severityBelow: Severity | null
}

export type DependencyPage = Page<DependencyRow>

export type DependencyStep = Pick<DependencyRow, 'number' | 'name' | 'version'>

/** Why a component is in the product. */
export type DependencyPaths = {
  component: DependencyRow
  /**
   * The shortest ways from the product, the shortest first: the components in between and the component itself. Empty where no way leads to
   * it, or where the shortest one has more than `longestPath` steps.
   */
  paths: DependencyStep[][]
  /** Through which of the tree's first rows it comes in, of any length: how many, and the first of them by name. */
  through: { total: number; rows: DependencyStep[] }
  /** On how many components it depends, and how many depend on it. */
  dependents: number
}

export const dependencyLimits = { paths: 5, longestPath: 64, through: 20 } as const
