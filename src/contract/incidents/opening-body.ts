import { Type } from 'typebox'
import { incidentKinds } from './words.ts'
import { severities } from '../severities.ts'

/** What an incident that is opened by hand is made of. */
export const openingBody = Type.Object({
  kind: Type.Enum(incidentKinds),
  title: Type.String(),
  vulnerability: Type.Optional(Type.String()),
  families: Type.Array(Type.String()),
  severity: Type.Optional(Type.Enum(severities)),
  awareAt: Type.Optional(Type.String()),
  occurredAt: Type.Optional(Type.String()),
  isExercise: Type.Optional(Type.Boolean()),
  /**
   * Of a severe incident, which no id distinguishes. False: refused (409 `conflict`) where one is open on the same products, so that the
   * person hears of it first. True, or left out: opened all the same.
   */
  isAnother: Type.Optional(Type.Boolean()),
})
