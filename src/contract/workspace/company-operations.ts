import { Type } from 'typebox'
import { answer, operation } from '../operation.ts'

/** What a workspace says of its company. `slugFrozenAt`: since when the slug is in published advisories and can no longer change. */
export type CompanySettings = {
  slug: string
  companyName: string
  securityContactEmail: string
  timeZone: string
  slugFrozenAt: string | null
}

const company = '/workspaces/:slug/company'

export const getCompany = operation({
  method: 'GET',
  path: company,
  permission: 'any_member',
  answer: answer<CompanySettings>(),
})

/** 409 `conflict`: the slug is in published advisories. */
export const changeCompany = operation({
  method: 'PATCH',
  path: company,
  permission: 'manage_company',
  body: Type.Object({
    slug: Type.Optional(Type.String()),
    companyName: Type.Optional(Type.String()),
    securityContactEmail: Type.Optional(Type.String()),
    timeZone: Type.Optional(Type.String()),
  }),
  answer: answer<CompanySettings>(),
})
