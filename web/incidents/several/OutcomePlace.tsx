import { useState, type ReactNode } from 'react'
import { BulkOutcome, type Outcome } from './BulkOutcome.tsx'
import { OutcomeContext } from './outcome.ts'

/** A page that says what became of acts on several incidents, whatever part of it they were done in. */
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
