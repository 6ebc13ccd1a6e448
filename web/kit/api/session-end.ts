import { useSyncExternalStore } from 'react'

/** True once the person is signed in again, false when they left the page instead. */
type SignedInAgain = Promise<boolean>

type SessionEnd = { back: SignedInAgain; settle: (isBack: boolean) => void }

let end: SessionEnd | undefined
let canAsk = (): boolean => false
const listeners = new Set<() => void>()

/** `mayAsk` is asked when a call was refused: whether someone was signed in on the page shown, who can sign in again over it. */
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

/** Lets the calls that wait go on, or gives them up. */
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
