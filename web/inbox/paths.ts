import { linkOptions } from '@tanstack/react-router'
import { inboxTabs, type InboxTab } from '#contract/disclosure/shapes.ts'
import { oneOf, present, type Raw } from '../kit/address/search.ts'

export type InboxSearch = { tab?: InboxTab }

export function inboxSearch(raw: Raw): InboxSearch {
  return present({ tab: oneOf(raw['tab'], inboxTabs) })
}

export const inboxPages = {
  inbox: (slug: string, search: InboxSearch = {}) =>
    linkOptions({ to: '/$slug/inbox', params: { slug }, search }),
  inboxReport: (slug: string, number: number) =>
    linkOptions({ to: '/$slug/inbox/$number', params: { slug, number: String(number) } }),
}
