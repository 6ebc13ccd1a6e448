import { Type, type Static } from 'typebox'
import { IncidentReference } from './reference.ts'

/** What became of an act on several incidents: those it was done on, and those it was refused on, by name. */
export const BulkResult = Type.Object({
  done: Type.Array(Type.String()),
  refused: Type.Array(
    Type.Object({ id: Type.String(), reference: IncidentReference, reason: Type.String() }),
  ),
})
export type BulkResult = Static<typeof BulkResult>
