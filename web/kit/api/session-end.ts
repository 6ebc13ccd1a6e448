import { useSyncExternalStore } from 'react'

/** True once the person has signed in again, false if they left the page. */
type SignedInAgain = Promise<boolean>

type SessionEnd = { back: SignedInAgain; settle: (isBack: boolean) => void }

let end: SessionEnd | undefined
let canAsk = (): boolean => false
const listeners = new Set<() => void>()

/** `mayAsk` is called on a refusal: whether somebody was signed in on the current page who can sign in again on top of it. */
export function watchSessionEnd(mayAsk: () => boolean): void {
  canAsk = mayAsk
}

/** A call was refused because the session ended. Undefined where nobody can be asked to sign in again. */
export function sessionEnded(): SignedInAgain | undefined {
  if (end === undefined && canAsk()) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    show({ back: promise, settle: resolve })
  }
  return end?.back
}

/** Resumes the waiting calls, or drops them. */
export function settleSessionEnd(isBack: boolean): void {
  end?.settle(isBack)
  show(undefined)
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(listen, () => end !== undefined)
}

function show(next: SessionEnd | undefined): void {
  end = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
