import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { workspaceKey } from './query-of.ts'
import { ApiFailure } from './request.ts'
import { refreshWhileSettling } from './settling.ts'
import { useIsShown } from './use-is-shown.ts'
import { useSend, type Send } from './use-send.ts'

export type Act<Input, Output> = {
  slug: string
  send: (input: Input) => Promise<Output>
  /** Success message; leave it out when the page itself shows the result. */
  done?: (input: Input) => string | undefined
  onDone?: (output: Output, input: Input) => void | Promise<void>
  /** Closes the dialog that sent it, or leaves its page; not called if the person had already left. */
  closes?: (output: Output) => void | Promise<void>
  /** A job updates the findings a moment later. */
  settles?: boolean
  /** The form closes after sending: nothing more is sent until it is gone. */
  final?: boolean
}

/** A member's act: sends once, shows a message, and refetches everything shown of the workspace. */
export function useAct<Input = void, Output = unknown>(act: Act<Input, Output>): Send<Input> {
  const queryClient = useQueryClient()
  const isShown = useIsShown()
  /** What was done without an answer is shown, so that nobody does it again. */
  const send = async (input: Input) => {
    try {
      return await act.send(input)
    } catch (error) {
      if (error instanceof ApiFailure && error.mayBeDone)
        void queryClient.invalidateQueries({ queryKey: workspaceKey(act.slug) })
      throw error
    }
  }
  return useSend<Input, Output>({
    send,
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
