import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { rootRoute } from '../parent-routes.ts'
import { companyReturnSearch, signInSearch } from './paths.ts'

/** Sign-in and sign-up; the pages below `links` and the confirmation page are targets of e-mail links (alerts/mail/letter-wording.ts). */
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
