import { queryOptions } from '@tanstack/react-query'
import { getConnectorReport } from '#contract/connector/operations.ts'
import { getDisclosureSettings } from '#contract/disclosure/operations.ts'
import { getRegimeSettings } from '#contract/incidents/operations.ts'
import { listMembers } from '#contract/people/operations/members.ts'
import { getSignInSettings } from '#contract/people/operations/sign-in.ts'
import { getBilling } from '#contract/workspace/billing-operations.ts'
import { getClosing } from '#contract/workspace/closing-operations.ts'
import { getCompany } from '#contract/workspace/company-operations.ts'
import { queryOf } from '../kit/api/query-of.ts'

export function companyQuery(slug: string) {
  return queryOf(getCompany, { params: { slug } })
}

const whilePayingMs = 2_000

/** Polled until the payment just made has arrived. */
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

export function regimesQuery(slug: string) {
  return queryOf(getRegimeSettings, { params: { slug } })
}

export function disclosureQuery(slug: string) {
  return queryOptions(queryOf(getDisclosureSettings, { params: { slug } }))
}

/** What the Dependency-Track connector of a family received. */
export function connectorQuery(slug: string, family: string) {
  return queryOptions({
    ...queryOf(getConnectorReport, { params: { slug, family } }),
    refetchInterval: 15_000,
  })
}

export function membersQuery(slug: string) {
  return queryOptions({ ...queryOf(listMembers, { params: { slug } }), refetchInterval: 30_000 })
}

export function signInSettingsQuery(slug: string) {
  return queryOf(getSignInSettings, { params: { slug } })
}
