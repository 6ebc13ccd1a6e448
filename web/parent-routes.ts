import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  redirect,
  rootRouteId,
} from '@tanstack/react-router'
import { sessionQuery, workspaceQuery } from './kit/api/queries.ts'
import { isFailure } from './kit/api/request.ts'
import { Frame } from './frame/Frame.tsx'
import { WorkspaceFailed } from './sign-in/CompanyRequired.tsx'
import { SignedIn } from './sign-in/SignInAgain.tsx'
import { pages } from './paths.ts'
import { NotFoundPage, WaitingPage } from './kit/page/WholePage.tsx'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundPage,
})

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: SignedIn,
  pendingComponent: WaitingPage,
  beforeLoad: async ({ context, location }) => {
    try {
      return { session: await context.queryClient.query({ ...sessionQuery, staleTime: 'static' }) }
    } catch (error) {
      if (isFailure(error, 'signed_out')) redirect({ ...pages.signIn(location.href), throw: true })
      throw error
    }
  },
})

export const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$slug',
  pendingComponent: WaitingPage,
  loader: async ({ context, params }) => {
    try {
      await context.queryClient.query({ ...workspaceQuery(params.slug), staleTime: 'static' })
    } catch (error) {
      if (isFailure(error, 'not_found')) notFound({ routeId: rootRouteId, throw: true })
      if (isFailure(error, 'second_factor_required')) redirect({ ...pages.account(), throw: true })
      throw error
    }
  },
  component: Frame,
  errorComponent: WorkspaceFailed,
})
