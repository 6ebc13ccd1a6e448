import { Type, type Static } from 'typebox'
import { DraftValue } from './report-drafts.ts'
import { time } from '../schema.ts'

/**
 * Where what a report states is kept: what is the same in all of them with the product families of the incident or in the settings of the company, and
 * the facts of the incident, such as its times and affected versions, with itself.
 */
export const KeptWith = Type.Enum(['family', 'company', 'incident'])
export type KeptWith = Static<typeof KeptWith>

/** What is kept now for a field of a draft. A draft that says something else was begun before, or was changed by hand. */
export const KeptValue = Type.Object({
  field: Type.String(),
  /** Empty: it is no longer stated there. */
  value: DraftValue,
  with: KeptWith,
  changedAt: time,
  /** What the draft names and the active SBOMs no longer have, last since then. Nothing is to be changed for it. */
  left: Type.Optional(Type.String()),
})
export type KeptValue = Static<typeof KeptValue>
