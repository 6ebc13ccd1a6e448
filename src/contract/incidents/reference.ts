/** Of an incident, given by the service: `INC-2026-0001`. */
export type IncidentReference = `INC-${number}-${string}`
