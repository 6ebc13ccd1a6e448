import { linkOptions } from '@tanstack/react-router'
import { listComponentUses } from '#contract/inventory/operations.ts'
import { filterIn, type Filter, type Raw } from '../kit/address/search.ts'

export type ComponentsSearch = Filter<typeof listComponentUses>

export function componentsSearch(raw: Raw): ComponentsSearch {
  return filterIn(raw, listComponentUses)
}

export const componentPages = {
  components: (slug: string, search: ComponentsSearch = {}) =>
    linkOptions({ to: '/$slug/components', params: { slug }, search }),
}
