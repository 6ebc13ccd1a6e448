import { Type, type Static } from 'typebox'
import { DraftValue } from './report-drafts.ts'
import { time } from '../schema.ts'

/**
 * Where what is the same in every report is kept: with the product families of the incident, in the settings of the company, or with the incident
 * itself, as its time of awareness.
 */
export const KeptWith = Type.Enum(['family', 'company', 'incident'])
export type KeptWith = Static<typeof KeptWith>

/** What is kept now for a field of a draft. A draft that says something else was begun before, or was changed by hand. */
export const KeptValue = Type.Object({
  field: Type.String(),
  value: DraftValue,
  with: KeptWith,
  changedAt: time,
})
export type KeptValue = Static<typeof KeptValue>
