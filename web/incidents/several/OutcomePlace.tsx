import { useState, type ReactNode } from 'react'
import { BulkOutcome, type Outcome } from './BulkOutcome.tsx'
import { OutcomeContext } from './outcome.ts'

/** Shows outcomes of acts on several incidents, whichever part of the page did them. */
export function OutcomePlace({ children }: { children: ReactNode }): ReactNode {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  return (
    <OutcomeContext value={setOutcome}>
      <BulkOutcome
        outcome={outcome}
        onClose={() => {
          setOutcome(null)
        }}
      />
      {children}
    </OutcomeContext>
  )
}
