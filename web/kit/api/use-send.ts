import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { isFailure } from './request.ts'
import { tellRefusal } from './tell-refusal.ts'
import { useIsShown } from './use-is-shown.ts'

type Sending<Input, Output> = {
  send: (input: Input) => Promise<Output>
  onSuccess?: (output: Output, input: Input) => unknown
  /** The form closes when it has been sent: until it is gone, nothing is sent from it again. */
  final?: boolean
  /** The call itself signs in: a refusal is its answer, and no reason to ask for signing in. */
  signsIn?: boolean
}

/** What the form does with the answer of this call, as soon as it is here; nothing once the form is gone. */
type After = { onSuccess?: () => void; onError?: (error: Error) => void }

export type Send<Input> = {
  mutate: (input: Input, after?: After) => void
  /** What is sent is found out first, such as by reading; that is part of the sending, and may fail. */
  mutateLater: (find: () => Promise<Input>, after?: After) => void
  isPending: boolean
  error: Error | null
}

type Given<Input> = { find: () => Input | Promise<Input>; after: After }

/**
 * Sends what a person submits, once: a second click or Enter counts for nothing while the first is on its way, from that very
 * moment and not only once the button shows it. A refusal that comes when its form has been left is told as a message.
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
    // Without a connection it fails at once and says so, instead of being sent some time later.
    networkMode: 'always',
    onSuccess: async ({ input, output }, { after }) => {
      if (isShown.current) after.onSuccess?.()
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
    // Said by the dialog that asks to sign in again, over what was typed.
    error: isFailure(mutation.error, 'signed_out') && !signsIn ? null : mutation.error,
  }
}
