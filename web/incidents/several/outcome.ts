import { createContext, useContext } from 'react'
import type { Outcome } from './BulkOutcome.tsx'

type Tell = (outcome: Outcome) => void

/** How a page is told what became of an act on several incidents: the part that did it may be gone by then. */
export const OutcomeContext = createContext<Tell | undefined>(undefined)

/** Shows what became of an act on several incidents. */
export function useTellOutcome(): Tell {
  const tell = useContext(OutcomeContext)
  if (tell === undefined) throw new Error('no page shows what became of it')
  return tell
}
