import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { sessionQuery } from './api/queries.ts'
import { ApiFailure, isFailure } from './api/request.ts'
import { pages } from './paths.ts'
import { createAppRouter } from './routes.tsx'
import { cssVariables, theme } from './theme.ts'

const retryable = new Set(['unreachable', 'internal', 'timeout'])

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiFailure && retryable.has(error.code),
    },
  },
})

const router = createAppRouter(queryClient)

/** A session that ends while a page is open leads to the sign-in page and back. */
function leaveWhenSignedOut(error: Error): void {
  const { location } = router.state
  if (!isFailure(error, 'signed_out') || location.pathname === '/sign-in') return
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
  void router.navigate(pages.signIn(location.href))
}

export function App(): ReactNode {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" autoClose={5000} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
