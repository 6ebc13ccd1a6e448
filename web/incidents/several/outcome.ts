import { createContext, useContext } from 'react'
import type { Outcome } from './BulkOutcome.tsx'

type Tell = (outcome: Outcome) => void

/** Passes outcomes to the page: the component that acted may be unmounted by then. */
export const OutcomeContext = createContext<Tell | undefined>(undefined)

/** Shows the outcome of an act on several incidents. */
export function useTellOutcome(): Tell {
  const tell = useContext(OutcomeContext)
  if (tell === undefined) throw new Error('no page shows what became of it')
  return tell
}
