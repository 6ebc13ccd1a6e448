import { queryOptions } from '@tanstack/react-query'
import { getBilling } from '../../../src/contract/operations/company/billing.ts'
import { getClosing } from '../../../src/contract/operations/company/closing.ts'
import { getCompany } from '../../../src/contract/operations/company/company.ts'
import { queryOf } from '../../api/query-of.ts'

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
