import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { workspaceKey } from './queries.ts'
import { refreshWhileSettling } from './settling.ts'

type Act<Input, Output> = {
  slug: string
  send: (input: Input) => Promise<Output>
  /** What was done, in words; no message when the page shows it itself. */
  done?: (input: Input) => string
  onDone?: (output: Output, input: Input) => void
  /** Findings follow a moment later, by a job. */
  settles?: boolean
}

/** An act of a member: sends it, says that it was done, and refreshes everything shown of the workspace. */
export function useAct<Input, Output>(act: Act<Input, Output>): UseMutationResult<Output, Error, Input> {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act.send,
    onSuccess: async (output, input) => {
      if (act.done !== undefined)
        notifications.show({ message: act.done(input), color: 'green.9', withBorder: true })
      act.onDone?.(output, input)
      if (act.settles === true) refreshWhileSettling(queryClient, act.slug)
      await queryClient.invalidateQueries({ queryKey: workspaceKey(act.slug) })
    },
  })
}
