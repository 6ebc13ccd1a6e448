import { useSyncExternalStore } from 'react'

type Question = { answered: Promise<boolean>; settle: (isConfirmed: boolean) => void }

let question: Question | undefined
let canAsk = false
const listeners = new Set<() => void>()

/** Registers a page that can ask for confirmation. Returns how to unregister it. */
export function offerConfirmation(): () => void {
  canAsk = true
  return () => {
    canAsk = false
    settleConfirmation(false)
  }
}

/** A dangerous act was refused until the person proves their identity. Undefined where nobody can be asked. */
export function confirmationNeeded(): Promise<boolean> | undefined {
  if (question === undefined && canAsk) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    show({ answered: promise, settle: resolve })
  }
  return question?.answered
}

/** Resumes the waiting acts, or drops them. */
export function settleConfirmation(isConfirmed: boolean): void {
  question?.settle(isConfirmed)
  show(undefined)
}

export function useConfirmationNeeded(): boolean {
  return useSyncExternalStore(listen, () => question !== undefined)
}

function show(next: Question | undefined): void {
  question = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
