import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { pages } from '../paths.ts'
import { sessionQuery } from './queries.ts'
import { useSend, type Send } from './use-send.ts'

/** An act that ends the session of this browser: it leads to the sign-in page and forgets what was shown. */
export function useLeaving(send: () => Promise<unknown>): Send<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useSend({
    send,
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
      await navigate(pages.signIn())
      queryClient.removeQueries({ queryKey: ['workspace'] })
    },
  })
}
