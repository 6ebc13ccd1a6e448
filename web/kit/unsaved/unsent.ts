import { createContext, useContext, useEffect, useRef } from 'react'

/** Text typed on the current page or in a dialog on it, lost on leaving unless it is sent. */
export type Typed = {
  /** Text was typed that was neither sent nor discarded. */
  isUnsent: () => boolean
  /** It is being sent: a refusal is shown on whatever page is open then. */
  isSending: () => boolean
  giveUp: () => void
}

const onPage = new Set<Typed>()

/** Text typed in the surrounding dialog. */
export const TypedInDialog = createContext<Set<Typed> | null>(null)

/** Asks before the page or dialog is left and the text lost. */
export function useUnsent(typed: Typed): void {
  const latest = useRef(typed)
  const inDialog = useContext(TypedInDialog)
  useEffect(() => {
    latest.current = typed
  })
  useEffect(() => {
    const one: Typed = {
      isUnsent: () => latest.current.isUnsent(),
      isSending: () => latest.current.isSending(),
      giveUp: () => {
        latest.current.giveUp()
      },
    }
    onPage.add(one)
    inDialog?.add(one)
    return () => {
      onPage.delete(one)
      inDialog?.delete(one)
    }
  }, [inDialog])
}

export function isUnsent(among: ReadonlySet<Typed> = onPage): boolean {
  return [...among].some((one) => one.isUnsent())
}

/** Sent on, whatever page of the application is open. */
const underWay = new Set<Promise<unknown>>()

/** Until it settles, the browser asks before the application is left. */
export async function asksUntil<Value>(sending: Promise<Value>): Promise<Value> {
  underWay.add(sending)
  try {
    return await sending
  } finally {
    underWay.delete(sending)
  }
}

/** After leaving the application, nobody sees the result of what is still being sent. */
export function isUnsentOrSending(): boolean {
  return underWay.size > 0 || [...onPage].some((one) => one.isUnsent() || one.isSending())
}

export function giveUpTyped(among: ReadonlySet<Typed> = onPage): void {
  for (const one of among) one.giveUp()
}
