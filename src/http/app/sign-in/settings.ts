import * as contract from '../../../contract/people/operations/sign-in.ts'
import { selectSession } from '../../../people/people.ts'
import { selectSignedInPerson } from '../../../people/sessions.ts'
import {
  beginCompanySignIn,
  completeCompanySignIn,
  findCompanies,
  redirectUriOf,
} from '../../../people/company-sign-in/company-sign-in.ts'
import {
  addDomain,
  removeDomain,
  removeIssuer,
  setIssuer,
  verifyDomain,
} from '../../../people/company-sign-in/company-settings.ts'
import { changeSignInSettings, readSignInSettings } from '../../../people/company-sign-in/settings.ts'
import { clientAddress } from '../../client-address.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import {
  clearCompanyCookie,
  companySecret,
  sessionSecret,
  setCompanyCookie,
} from '../routing/session-cookie.ts'
import { entered, enteringFrom } from './session.ts'

type Setting = Pick<Asked<typeof contract.removeIssuer>, 'workspaceId' | 'actor' | 'now'>

const actOf = ({ workspaceId, actor, now }: Setting) => ({ workspaceId, actor, now })

/** How members of a workspace sign in, and signing in with a company. */
export const signInRoutes = routesOf(contract, {
  getSignInSettings: ({ workspaceId, deps }) =>
    readSignInSettings(deps.db, { workspaceId, redirectUri: redirectUriOf(deps.baseUrl, workspaceId) }),

  changeSignInSettings: ({ person, deps, body, ...asked }) =>
    changeSignInSettings(deps.db, { ...actOf(asked), person, change: body }),

  setIssuer: ({ deps, body, ...asked }) => setIssuer(deps.db, deps.sealing, { ...actOf(asked), ...body }),

  removeIssuer: (asked) => removeIssuer(asked.deps.db, actOf(asked)),

  addDomain: (asked) => addDomain(asked.deps.db, { ...actOf(asked), ...asked.body }),

  verifyDomain: (asked) => verifyDomain(asked.deps, { ...actOf(asked), ...asked.body }),

  removeDomain: (asked) => removeDomain(asked.deps.db, { ...actOf(asked), ...asked.body }),

  findCompanies: ({ deps, body }) => findCompanies(deps.db, body.email),

  beginCompanySignIn: async ({ deps, request, reply, now, body }) => {
    const begin = { slug: body.workspace, address: clientAddress(request), confirms: null, now }
    const { url, secret } = await beginCompanySignIn(deps, begin)
    setCompanyCookie(deps, reply, secret)
    return { url }
  },

  beginCompanyConfirmation: async ({ deps, request, reply, person, now, body }) => {
    const begin = { slug: body.workspace, address: clientAddress(request), confirms: person, now }
    const { url, secret } = await beginCompanySignIn(deps, begin)
    setCompanyCookie(deps, reply, secret)
    return { url }
  },

  completeCompanySignIn: async ({ body, ...asked }) => {
    const { deps, request, reply, now } = asked
    const own = sessionSecret(deps, request)
    const person = own === undefined ? null : ((await selectSignedInPerson(deps.db, own, now)) ?? null)
    clearCompanyCookie(deps, reply)
    const parameters = new URLSearchParams(body.query)
    const secret = companySecret(deps, request) ?? ''
    const returning = { ...enteringFrom(asked), secret, workspaceId: body.workspaceId, parameters, person }
    const opened = await completeCompanySignIn(deps, returning)
    if (opened !== 'confirmed') return entered(asked, opened, opened.only)
    const only = person?.companyWorkspaceId ?? null
    return selectSession(deps.db, person?.personId ?? '', { now, only })
  },
})
