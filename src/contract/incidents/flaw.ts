import { Type, type Static } from 'typebox'
import { ExploitedEntry } from '../findings/shapes.ts'
import { nullable } from '../schema.ts'

/** The vulnerability behind an incident, as far as it is known now. */
export const IncidentFlaw = Type.Object({
  /** Its title or description; empty: no record says. */
  summary: Type.String(),
  score: nullable(Type.Number()),
  /** CVSS vector. */
  vector: nullable(Type.String()),
  /** Affected components, at most 20; `fixedIn`: the version of the component that fixes it; malware has none. */
  fixes: Type.Array(
    Type.Object({
      component: Type.String(),
      version: nullable(Type.String()),
      fixedIn: nullable(Type.String()),
      malware: Type.Boolean(),
    }),
  ),
  /** Entries of the catalogues that list it as exploited, dropped ones last, at most 20. */
  listings: Type.Array(ExploitedEntry),
})
export type IncidentFlaw = Static<typeof IncidentFlaw>
