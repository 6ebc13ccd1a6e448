import type { ExploitedEntry } from '../findings/shapes.ts'

/** The vulnerability behind an incident, as far as it is known now. */
export type IncidentFlaw = {
  /** Its title or description; empty: no record says. */
  summary: string
  score: number | null
  /** CVSS vector. */
  vector: string | null
  /** Affected components, at most 20; `fixedIn`: the version of the component that fixes it. */
  fixes: { component: string; version: string | null; fixedIn: string | null }[]
  /** Entries of the catalogues that list it as exploited, dropped ones last, at most 20. */
  listings: ExploitedEntry[]
}
