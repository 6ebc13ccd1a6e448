import { queryOptions } from '@tanstack/react-query'
import { getBilling } from '#contract/workspace/billing-operations.ts'
import { getClosing } from '#contract/workspace/closing-operations.ts'
import { getCompany } from '#contract/workspace/company-operations.ts'
import { queryOf } from '../kit/api/query-of.ts'

export function companyQuery(slug: string) {
  return queryOf(getCompany, { params: { slug } })
}

const whilePayingMs = 2_000

/** Read often until the payment that was just made has arrived. */
export function billingQuery(slug: string, { isPaying }: { isPaying: boolean } = { isPaying: false }) {
  return queryOptions({
    ...queryOf(getBilling, { params: { slug } }),
    refetchInterval: ({ state }) =>
      isPaying && state.data?.subscription?.status !== 'active' ? whilePayingMs : false,
  })
}

export function closingQuery(slug: string) {
  return queryOf(getClosing, { params: { slug } })
}
