import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  redirect,
  rootRouteId,
} from '@tanstack/react-router'
import { isFailure } from './kit/api/request.ts'
import { NotFoundPage, WaitingPage } from './kit/page/WholePage.tsx'
import { sessionQuery } from './sign-in/session-query.ts'
import { workspaceQuery } from './workspaces/queries.ts'

/* Parents of the areas' routes. Their layouts are set in routes.ts: the frame lists the areas, whose routes hang from these. */

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundPage,
})

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  pendingComponent: WaitingPage,
  beforeLoad: async ({ context, location }) => {
    try {
      return { session: await context.queryClient.query({ ...sessionQuery, staleTime: 'static' }) }
    } catch (error) {
      if (isFailure(error, 'signed_out'))
        redirect({ to: '/sign-in', search: { next: location.href }, throw: true })
      throw error
    }
  },
})

export const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/$slug',
  pendingComponent: WaitingPage,
  // Keeps the sidebar beside an unknown address.
  notFoundComponent: NotFoundPage,
  loader: async ({ context, params }) => {
    try {
      await context.queryClient.query({ ...workspaceQuery(params.slug), staleTime: 'static' })
    } catch (error) {
      if (isFailure(error, 'not_found')) notFound({ routeId: rootRouteId, throw: true })
      if (isFailure(error, 'second_factor_required')) redirect({ to: '/account', throw: true })
      throw error
    }
  },
})
