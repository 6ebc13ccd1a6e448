import { explainDependency, getDependencies, listDependencies } from '#contract/dependencies/operations.ts'
import type { Filter } from '../../kit/address/search.ts'
import { pagesOf, queryOf } from '../../kit/api/query-of.ts'

export function dependencyTreeQuery(slug: string, sbom: string) {
  return queryOf(getDependencies, { params: { slug, sbom } })
}

export function dependenciesQuery(slug: string, sbom: string, filter: Filter<typeof listDependencies>) {
  return pagesOf(listDependencies, { params: { slug, sbom }, query: filter })
}

export function dependencyPathsQuery(slug: string, sbom: string, component: number) {
  return queryOf(explainDependency, { params: { slug, sbom }, query: { component } })
}
