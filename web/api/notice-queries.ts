import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getMailState, getNoticeSettings, listBell } from '../../src/contract/operations/notices.ts'
import { pagesOf, queryOf } from './query-of.ts'

export function bellQuery(slug: string) {
  return infiniteQueryOptions({ ...pagesOf(listBell, { params: { slug } }), refetchInterval: 30_000 })
}

export function noticeSettingsQuery(slug: string) {
  return queryOptions(queryOf(getNoticeSettings, { params: { slug } }))
}

export function mailStateQuery(slug: string) {
  return queryOptions({ ...queryOf(getMailState, { params: { slug } }), staleTime: 30_000 })
}
