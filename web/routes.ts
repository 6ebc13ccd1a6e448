import type { QueryClient } from '@tanstack/react-query'
import {
  createRouter,
  parseSearchWith,
  stringifySearchWith,
  type RouterHistory,
} from '@tanstack/react-router'
import { outsideRoutes, personRoutes, workspaceRoutes } from './areas.ts'
import { dashboardRoute } from './dashboard/area.ts'
import DashboardPage from './dashboard/DashboardPage.tsx'
import { Frame } from './frame/Frame.tsx'
import { FailedPage, NotFoundPage, WaitingPart } from './kit/page/WholePage.tsx'
import { rootRoute, signedInRoute, workspaceRoute } from './parent-routes.ts'
import { WorkspaceFailed } from './sign-in/CompanyRequired.tsx'
import { SignedIn } from './sign-in/SignInAgain.tsx'

const routeTree = rootRoute.addChildren([
  ...outsideRoutes,
  signedInRoute.update({ component: SignedIn }).addChildren([
    ...personRoutes,
    workspaceRoute
      .update({ component: Frame, errorComponent: WorkspaceFailed })
      // The dashboard is bundled with the application, because most people open it first: it saves a request.
      .addChildren([dashboardRoute.update({ component: DashboardPage }), ...workspaceRoutes]),
  ]),
])

/** All routes of the application. Tests pass `history`; in the browser it is the address bar. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { queryClient },
    // Values in the address stay plain text; the areas parse them.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    // Drops parameters the areas do not know, so that they never reach a page.
    search: { strict: true },
    // Remounts the page for another object, so that nothing typed or chosen is carried over.
    defaultRemountDeps: ({ params }) => params,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedPage,
    defaultPendingComponent: WaitingPart,
    ...(history === undefined ? {} : { history }),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
