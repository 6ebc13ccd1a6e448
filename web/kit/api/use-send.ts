import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { forgetLostActs } from './act-keys.ts'
import { isFailure } from './request.ts'
import { tellRefusal } from './tell-refusal.ts'
import { useIsShown } from './use-is-shown.ts'

type Sending<Input, Output> = {
  send: (input: Input) => Promise<Output>
  onSuccess?: (output: Output, input: Input) => unknown
  /** The form closes after sending: nothing more is sent until it is gone. */
  final?: boolean
  /** The call itself signs in: a refusal is its answer, not a reason to ask for sign-in. */
  signsIn?: boolean
}

/** What the form does with the answer of this call; not called once the form is unmounted. */
type After = { onSuccess?: () => void; onError?: (error: Error) => void }

export type Send<Input> = {
  mutate: (input: Input, after?: After) => void
  /** Computes the input first, for example by fetching; that counts as sending, and may fail. */
  mutateLater: (find: () => Promise<Input>, after?: After) => void
  isPending: boolean
  error: Error | null
}

type Given<Input> = { find: () => Input | Promise<Input>; after: After }

/**
 * Sends a submitted form once: a second click or Enter is ignored from the moment of the first, before the button shows it. A refusal that
 * arrives after the form was closed is shown as a message.
 */
export function useSend<Input = void, Output = unknown>(sending: Sending<Input, Output>): Send<Input> {
  const { send, onSuccess, final = false, signsIn = false } = sending
  const isTaken = useRef(false)
  const isShown = useIsShown()
  const mutation = useMutation({
    mutationFn: async ({ find }: Given<Input>) => {
      const input = await find()
      return { input, output: await send(input) }
    },
    // Without a connection it fails at once and says so, instead of being sent later.
    networkMode: 'always',
    onSuccess: async ({ input, output }, { after }) => {
      if (isShown.current) after.onSuccess?.()
      forgetLostActs()
      await onSuccess?.(output, input)
    },
    onError: (error, { after }) => {
      if (isShown.current) after.onError?.(error)
      else tellRefusal(error)
    },
    onSettled: (_output, error) => {
      isTaken.current = final && error === null
    },
  })
  const sendOnce = (given: Given<Input>) => {
    if (isTaken.current) return
    isTaken.current = true
    mutation.mutate(given)
  }
  return {
    mutate: (input, after = {}) => {
      sendOnce({ find: () => input, after })
    },
    mutateLater: (find, after = {}) => {
      sendOnce({ find, after })
    },
    isPending: mutation.isPending,
    // The sign-in dialog on top of the form says it.
    error: isFailure(mutation.error, 'signed_out') && !signsIn ? null : mutation.error,
  }
}
