import { createContext, useContext, useEffect, useRef } from 'react'

/** What is typed on the page that is shown, or in a dialog over it, and goes with it unless it is sent. */
export type Typed = {
  /** Something is typed that was neither sent nor given up. */
  isUnsent: () => boolean
  /** It is on its way: a refusal is told on whatever page of the application is shown by then. */
  isSending: () => boolean
  giveUp: () => void
}

const onPage = new Set<Typed>()

/** What is typed in the dialog around it. */
export const TypedInDialog = createContext<Set<Typed> | null>(null)

/** Whoever leaves its page or closes its dialog is asked before it is lost. */
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

/** When the whole application is left, nobody is told what becomes of what is on its way. */
export function isUnsentOrSending(): boolean {
  return [...onPage].some((one) => one.isUnsent() || one.isSending())
}

export function giveUpTyped(among: ReadonlySet<Typed> = onPage): void {
  for (const one of among) one.giveUp()
}
