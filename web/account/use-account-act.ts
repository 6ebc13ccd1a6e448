import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { accountKey } from './queries.ts'
import { useSend, type Send } from '../kit/api/use-send.ts'

type AccountAct<Input, Output> = {
  send: (input: Input) => Promise<Output>
  /** Success message; leave it out when the page itself shows the result. */
  done?: string
  onDone?: (output: Output) => void
}

/** An act of a person on their own account: shows a success message and refreshes account queries. */
export function useAccountAct<Input = void, Output = unknown>(act: AccountAct<Input, Output>): Send<Input> {
  const queryClient = useQueryClient()
  return useSend<Input, Output>({
    send: act.send,
    onSuccess: async (output) => {
      if (act.done !== undefined)
        notifications.show({ message: act.done, color: 'green.9', withBorder: true })
      act.onDone?.(output)
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => accountKey(queryKey) })
    },
  })
}
