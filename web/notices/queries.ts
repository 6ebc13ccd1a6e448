import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getNoticeSettings, listBell } from '#contract/notices/operations.ts'
import { pagesOf, queryOf } from '../kit/api/query-of.ts'

export function bellQuery(slug: string) {
  return infiniteQueryOptions({ ...pagesOf(listBell, { params: { slug } }) })
}

export function noticeSettingsQuery(slug: string) {
  return queryOptions(queryOf(getNoticeSettings, { params: { slug } }))
}
