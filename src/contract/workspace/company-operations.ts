import { Type, type Static } from 'typebox'
import { answer, operation } from '../operation.ts'
import { time, nullable } from '../schema.ts'

/** What a workspace says of its company. `slugFrozenAt`: since when the slug is in published advisories and can no longer change. */
const CompanySettings = Type.Object({
  slug: Type.String(),
  companyName: Type.String(),
  securityContactEmail: Type.String(),
  timeZone: Type.String(),
  slugFrozenAt: nullable(time),
})
export type CompanySettings = Static<typeof CompanySettings>

const company = '/workspaces/:slug/company'

export const getCompany = operation({
  method: 'GET',
  path: company,
  permission: 'any_member',
  answer: answer(CompanySettings),
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
  answer: answer(CompanySettings),
})
