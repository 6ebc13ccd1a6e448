import type { QueryClient } from '@tanstack/react-query'
import {
  createRoute,
  createRouter,
  parseSearchWith,
  stringifySearchWith,
  type RouterHistory,
} from '@tanstack/react-router'
import { lazyPage } from './kit/page/lazy-page.ts'
import { rootRoute, signedInRoute, workspaceRoute } from './parent-routes.ts'
import { outsideRoutes } from './routes/outside.tsx'
import { settingsRoutes } from './routes/settings.tsx'
import { workspaceRoutes } from './routes/workspace.tsx'
import { FailedPage, NotFoundPage, WaitingPart } from './kit/page/WholePage.tsx'

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  component: lazyPage(() => import('./workspaces/ChooserPage.tsx')),
})

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyPage(() => import('./account/AccountPage.tsx')),
})

const routeTree = rootRoute.addChildren([
  ...outsideRoutes,
  signedInRoute.addChildren([
    homeRoute,
    accountRoute,
    workspaceRoute.addChildren([...workspaceRoutes, ...settingsRoutes]),
  ]),
])

/** The whole application by address. `history` is given by tests; in the browser it is the address bar. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: '/app',
    context: { queryClient },
    // Plain words in the address bar; page-search.ts gives them their types.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    // What page-search.ts dropped leaves the address too, instead of reaching the page as foreign text.
    search: { strict: true },
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
