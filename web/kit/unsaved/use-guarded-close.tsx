import { useState, type ReactNode } from 'react'
import { DiscardQuestion } from './DiscardQuestion.tsx'
import { giveUpTyped, isUnsent, TypedInDialog, type Typed } from './unsent.ts'

type Guarded = {
  /** For the button, the Escape key and clicks outside. */
  close: () => void
  /** Wraps the content of the dialog. */
  guard: (children: ReactNode) => ReactNode
}

/** Closes a dialog or drawer at once if nothing is typed in it, else after a question. */
export function useGuardedClose(opened: boolean, onClose: () => void): Guarded {
  const [typed] = useState(() => new Set<Typed>())
  const [isAsking, setAsking] = useState(false)
  const stay = () => {
    setAsking(false)
  }
  function close(): void {
    // a key pressed before the question has the focus
    if (isAsking) stay()
    else if (isUnsent(typed)) setAsking(true)
    else onClose()
  }
  function discard(): void {
    setAsking(false)
    giveUpTyped(typed)
    onClose()
  }
  return {
    close,
    guard: (children) => (
      <TypedInDialog value={typed}>
        {children}
        <DiscardQuestion opened={opened && isAsking} onStay={stay} onDiscard={discard} />
      </TypedInDialog>
    ),
  }
}
