import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { sessionQuery } from './sign-in/session-query.ts'
import { Messages } from './frame/Messages.tsx'
import { ApiFailure } from './kit/api/request.ts'
import { watchSessionEnd } from './kit/api/session-end.ts'
import { pages } from './areas.ts'
import { createAppRouter } from './routes.ts'
import { signedInRoute } from './parent-routes.ts'
import { cssVariables, theme } from './theme.ts'

const retryable = new Set(['unreachable', 'internal', 'timeout'])

/** Errors that may pass in a moment, including a proxy's own error page while the service starts. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiFailure)) return false
  return retryable.has(error.code) || (error.code === 'unreadable' && (error.status ?? 0) >= 500)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      // A browser that believes it is offline may still reach a service on its own network.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
})

const router = createAppRouter(queryClient)

/**
 * If a session ends while a page is open, the sign-in dialog opens over it; without a page, the sign-in page leads back. Pages that need no
 * session, such as those opened from e-mail links, handle this themselves.
 */
watchSessionEnd(() => {
  const { location, matches } = router.state
  if (!matches.some(({ routeId }) => routeId === signedInRoute.id)) return false
  if (queryClient.getQueryData(sessionQuery.queryKey) !== undefined) return true
  void router.navigate(pages.signIn(location.href))
  return false
})

export function App(): ReactNode {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Messages />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
