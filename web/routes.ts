import type { QueryClient } from '@tanstack/react-query'
import {
  createRouter,
  parseSearchWith,
  stringifySearchWith,
  type RouterHistory,
} from '@tanstack/react-router'
import { outsideRoutes, personRoutes, workspaceRoutes } from './areas.ts'
import { Frame } from './frame/Frame.tsx'
import { FailedPage, NotFoundPage, WaitingPart } from './kit/page/WholePage.tsx'
import { rootRoute, signedInRoute, workspaceRoute } from './parent-routes.ts'
import { WorkspaceFailed } from './sign-in/CompanyRequired.tsx'
import { SignedIn } from './sign-in/SignInAgain.tsx'

const routeTree = rootRoute.addChildren([
  ...outsideRoutes,
  signedInRoute
    .update({ component: SignedIn })
    .addChildren([
      ...personRoutes,
      workspaceRoute
        .update({ component: Frame, errorComponent: WorkspaceFailed })
        .addChildren(workspaceRoutes),
    ]),
])

/** The whole application by address. `history` is given by tests; in the browser it is the address bar. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { queryClient },
    // Plain words in the address bar; the areas give them their types.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    // What the areas drop leaves the address too, instead of reaching the page as foreign text.
    search: { strict: true },
    // What was typed or chosen on the page of one thing is not carried to the page of another.
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
