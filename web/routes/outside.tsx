import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../kit/page/lazy-page.ts'
import { companyReturnSearch, signInSearch } from '../page-search.ts'
import { rootRoute } from '../parent-routes.ts'

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyPage(() => import('../setup/SetupPage.tsx')),
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyPage(() => import('../sign-in/SignInPage.tsx')),
})

const companyReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/company/$workspaceId',
  validateSearch: companyReturnSearch,
  component: lazyPage(() => import('../sign-in/CompanyReturnPage.tsx')),
})

const forgottenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/forgotten',
  component: lazyPage(() => import('../sign-in/ForgottenPage.tsx')),
})

/** What the links of messages open (alerts/mail/letter-wording.ts). */
const linkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/invitation',
    component: lazyPage(() => import('../sign-in/links/InvitationPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/reset',
    component: lazyPage(() => import('../sign-in/links/ResetPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in/email',
    component: lazyPage(() => import('../sign-in/links/EmailPage.tsx')),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up/confirm',
    component: lazyPage(() => import('../sign-in/sign-up/ConfirmPage.tsx')),
  }),
] as const

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: lazyPage(() => import('../sign-in/sign-up/SignUpPage.tsx')),
})

/** What is open to who has not signed in. */
export const outsideRoutes = [
  setupRoute,
  signInRoute,
  companyReturnRoute,
  forgottenRoute,
  ...linkRoutes,
  signUpRoute,
] as const
