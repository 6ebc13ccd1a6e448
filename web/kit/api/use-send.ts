import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { isFailure } from './request.ts'

type Sending<Input, Output> = Pick<UseMutationOptions<Output, Error, Input>, 'onSuccess'> & {
  send: (input: Input) => Promise<Output>
  /** The form closes when it has been sent: until it is gone, nothing is sent from it again. */
  final?: boolean
  /** The call itself signs in: a refusal is its answer, and no reason to ask for signing in. */
  signsIn?: boolean
}

/** What the form does with the answer of this call; nothing once the form is gone. */
type After = { onSuccess?: () => void; onError?: (error: Error) => void }

export type Send<Input> = {
  mutate: (input: Input, after?: After) => void
  isPending: boolean
  error: Error | null
}

/**
 * Sends what a person submits, once: a second click or Enter counts for nothing while the first is on its way, from that very
 * moment and not only once the button shows it.
 */
export function useSend<Input = void, Output = unknown>(sending: Sending<Input, Output>): Send<Input> {
  const { send, onSuccess, final = false, signsIn = false } = sending
  const isTaken = useRef(false)
  const mutation = useMutation({
    mutationFn: send,
    // Without a connection it fails at once and says so, instead of being sent some time later.
    networkMode: 'always',
    ...(onSuccess === undefined ? {} : { onSuccess }),
    onSettled: (_output, error) => {
      isTaken.current = final && error === null
    },
  })
  return {
    mutate: (input, after = {}) => {
      if (isTaken.current) return
      isTaken.current = true
      mutation.mutate(input, after)
    },
    isPending: mutation.isPending,
    // Said by the dialog that asks to sign in again, over what was typed.
    error: isFailure(mutation.error, 'signed_out') && !signsIn ? null : mutation.error,
  }
}
