import { createRoute, linkOptions } from '@tanstack/react-router'
import { present, text, type Raw } from '../kit/address/search.ts'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { rootRoute } from '../parent-routes.ts'

export type SignInSearch = { next?: string }

export function signInSearch(raw: Raw): SignInSearch {
  return present({ next: returnPath(raw['next']) })
}

/**
 * A page of this application to return to after signing in; anything that could lead out of it is dropped. Browsers read `//host` and
 * `/\host` as other servers, and strip control characters first.
 */
export function returnPath(value: unknown): string | undefined {
  const path = text(value)
  if (path?.startsWith('/') !== true || path.startsWith('//') || path.includes('\\')) return undefined
  for (let at = 0; at < path.length; at++) if (path.charCodeAt(at) <= 0x20) return undefined
  return path
}

/** Protocol names; whatever else an issuer adds is kept too. */
export type CompanyReturnSearch = { code?: string; state?: string }

/** All parameters of the issuer's redirect, for the service to read: more than `code` and `state`, and of any length. */
export function companyReturnSearch(raw: Raw): CompanyReturnSearch {
  const given = Object.entries(raw).filter(([, value]) => value !== null && typeof value !== 'object')
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

export const pages = {
  signIn: (next?: string) => linkOptions({ to: '/sign-in', search: next === undefined ? {} : { next } }),
  forgotten: () => linkOptions({ to: '/sign-in/forgotten' }),
  signUp: () => linkOptions({ to: '/sign-up' }),
}

/** Sign-in and sign-up; the pages below `links` and the confirmation page are targets of e-mail links (notices/mail/letter-wording.ts). */
export const routes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: signInSearch,
    component: lazyPage(() => import('./SignInPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/company/$workspaceId',
    validateSearch: companyReturnSearch,
    component: lazyPage(() => import('./CompanyReturnPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/forgotten',
    component: lazyPage(() => import('./ForgottenPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/invitation',
    component: lazyPage(() => import('./links/InvitationPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/reset',
    component: lazyPage(() => import('./links/ResetPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/email',
    component: lazyPage(() => import('./links/EmailPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up/confirm',
    component: lazyPage(() => import('./sign-up/ConfirmPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up',
    component: lazyPage(() => import('./sign-up/SignUpPage.tsx')),
  }),
] as const
