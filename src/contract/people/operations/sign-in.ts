import { Type } from 'typebox'
import { Session } from '../sessions.ts'
import { CompanySignIn, CompanyWorkspaces, SignInSettings } from '../sign-in.ts'
import { answer, nothing, operation } from '../../operation.ts'
import { nullable } from '../../schema.ts'

const path = '/workspaces/:slug/sign-in'

export const getSignInSettings = operation({
  method: 'GET',
  path,
  permission: 'manage_sign_in',
  answer: answer(SignInSettings),
})

/** 409 when it has not yet worked for the asking member. */
export const changeSignInSettings = operation({
  method: 'PATCH',
  path,
  permission: 'manage_sign_in',
  isDangerous: true,
  worksReadOnly: 'until_closed',
  body: Type.Object({
    requiresSecondFactor: Type.Optional(Type.Boolean()),
    requiresSingleSignOn: Type.Optional(Type.Boolean()),
  }),
  answer: nothing,
})

const settings = { permission: 'manage_sign_in', isDangerous: true, worksReadOnly: 'until_closed' } as const
const domain = Type.Object({ domain: Type.String({ maxLength: 300 }) })

/** Replaces the issuer; null: a client without a secret. */
export const setIssuer = operation({
  ...settings,
  method: 'POST',
  path: `${path}/issuer`,
  body: Type.Object({
    issuer: Type.String({ maxLength: 1_000 }),
    clientId: Type.String({ maxLength: 1_000 }),
    clientSecret: nullable(Type.String({ maxLength: 2_000 })),
  }),
  answer: nothing,
})

export const removeIssuer = operation({
  ...settings,
  method: 'DELETE',
  path: `${path}/issuer`,
  answer: nothing,
})

export const addDomain = operation({
  ...settings,
  method: 'POST',
  path: `${path}/domains`,
  body: domain,
  answer: nothing,
})

/** 409 while its TXT record is not seen. */
export const verifyDomain = operation({
  ...settings,
  method: 'POST',
  path: `${path}/domains/verification`,
  body: domain,
  answer: nothing,
})

export const removeDomain = operation({
  ...settings,
  method: 'DELETE',
  path: `${path}/domains`,
  body: domain,
  answer: nothing,
})

/** By the domain of the address alone. */
export const findCompanies = operation({
  method: 'POST',
  path: '/session/company/find',
  permission: 'anyone',
  body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
  answer: answer(CompanyWorkspaces),
})

/** Where the browser goes. 404 where the workspace has no issuer; 503 `not_configured` where its secret cannot be opened. */
export const beginCompanySignIn = operation({
  method: 'POST',
  path: '/session/company',
  permission: 'anyone',
  body: Type.Object({ workspace: Type.String({ maxLength: 100 }) }),
  answer: answer(CompanySignIn),
})

/** What the address said that the issuer sent the browser back to: whose page it is, and the query. */
export const completeCompanySignIn = operation({
  method: 'POST',
  path: '/session/company/return',
  permission: 'anyone',
  body: Type.Object({
    workspaceId: Type.String({ maxLength: 100 }),
    query: Type.String({ maxLength: 10_000 }),
  }),
  answer: answer(Session),
})

/** The same for a session that the issuer opened, before a dangerous act. */
export const beginCompanyConfirmation = operation({
  method: 'POST',
  path: '/account/confirmation/company',
  permission: 'signed_in',
  body: Type.Object({ workspace: Type.String({ maxLength: 100 }) }),
  answer: answer(CompanySignIn),
})
