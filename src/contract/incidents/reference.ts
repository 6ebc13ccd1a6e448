import { Type } from 'typebox'

/** Of an incident, given by the service: `INC-2026-0001`. */
export type IncidentReference = `INC-${number}-${string}`
export const IncidentReference = Type.Unsafe<IncidentReference>(
  Type.String({ pattern: '^INC-[0-9]{4}-[0-9]{4,}$' }),
)
