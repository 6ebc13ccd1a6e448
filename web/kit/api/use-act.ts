import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { workspaceKey } from './query-of.ts'
import { refreshWhileSettling } from './settling.ts'
import { useIsShown } from './use-is-shown.ts'
import { useSend, type Send } from './use-send.ts'

export type Act<Input, Output> = {
  slug: string
  send: (input: Input) => Promise<Output>
  /** What was done, in words; no message when the page shows it itself. */
  done?: (input: Input) => string | undefined
  onDone?: (output: Output, input: Input) => void | Promise<void>
  /** Closes the dialog that sent it, or leads on from its page; not where that was left before the answer came. */
  closes?: (output: Output) => void | Promise<void>
  /** Findings follow a moment later, by a job. */
  settles?: boolean
  /** The form closes when it has been sent: until it is gone, nothing is sent from it again. */
  final?: boolean
}

/** An act of a member: sends it once, says that it was done, and refreshes everything shown of the workspace. */
export function useAct<Input = void, Output = unknown>(act: Act<Input, Output>): Send<Input> {
  const queryClient = useQueryClient()
  const isShown = useIsShown()
  return useSend<Input, Output>({
    send: act.send,
    final: act.final ?? act.closes !== undefined,
    onSuccess: async (output, input) => {
      const message = act.done?.(input)
      if (message !== undefined) notifications.show({ message, color: 'green.9', withBorder: true })
      await act.onDone?.(output, input)
      if (isShown.current) await act.closes?.(output)
      if (act.settles === true) refreshWhileSettling(queryClient, act.slug)
      await queryClient.invalidateQueries({ queryKey: workspaceKey(act.slug) })
    },
  })
}
