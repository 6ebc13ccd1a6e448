import { linkOptions } from '@tanstack/react-router'
import { present, text, type Raw } from '../kit/address/search.ts'

export type SourcesSearch = { source?: string }

export function sourcesSearch(raw: Raw): SourcesSearch {
  return present({ source: text(raw['source']) })
}

export const sourcePages = {
  sources: (slug: string, search: SourcesSearch = {}) =>
    linkOptions({ to: '/$slug/sources', params: { slug }, search }),
}
