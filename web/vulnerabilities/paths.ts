import { linkOptions } from '@tanstack/react-router'
import { listVulnerabilities } from '#contract/vulnerabilities/operations.ts'
import { filterIn, type Filter, type Raw } from '../kit/address/search.ts'

/** `family` is the id of a product family. */
export type VulnerabilitiesSearch = Filter<typeof listVulnerabilities>

export function vulnerabilitiesSearch(raw: Raw): VulnerabilitiesSearch {
  return filterIn(raw, listVulnerabilities)
}

export const vulnerabilityPages = {
  vulnerabilities: (slug: string, search: VulnerabilitiesSearch = {}) =>
    linkOptions({ to: '/$slug/vulnerabilities', params: { slug }, search }),
  vulnerability: (slug: string, vulnerability: string) =>
    linkOptions({ to: '/$slug/vulnerabilities/$vulnerability', params: { slug, vulnerability } }),
}
