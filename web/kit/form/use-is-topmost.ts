import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** Dialogs and drawers that are open, the one on top last. */
let open: readonly symbol[] = []
const listeners = new Set<() => void>()

function change(to: readonly symbol[]): void {
  open = to
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether nothing is open above a dialog or drawer: Escape closes one at a time, where each by itself would close with the others. */
export function useIsTopmost(opened: boolean): boolean {
  const [own] = useState(() => Symbol('dialog'))
  const top = useSyncExternalStore(subscribe, () => open.at(-1))
  useLayoutEffect(() => {
    if (!opened) return undefined
    change([...open, own])
    return () => {
      change(open.filter((one) => one !== own))
    }
  }, [opened, own])
  return top === undefined || top === own
}
