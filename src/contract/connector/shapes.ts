import { Type, type Static } from 'typebox'
import { time, nullable } from '../schema.ts'
import { errorCodeNames } from '../errors.ts'

/** A refused request of the Dependency-Track connector; the platform shows its users nothing of it. */
export const ConnectorRefusal = Type.Object({
  id: Type.String(),
  /** The last of `times` equal ones in a row. */
  at: time,
  times: Type.Number(),
  /** HTTP status of the answer. */
  status: Type.Number(),
  error: Type.Enum(errorCodeNames),
  detail: nullable(Type.String()),
  /** Of the notification, as far as it could be read. */
  group: nullable(Type.String()),
  projectName: nullable(Type.String()),
  projectVersion: nullable(Type.String()),
  sizeBytes: nullable(Type.Number()),
  tokenName: Type.String(),
  /** When a BOM of the project was taken after all; null: unresolved. */
  resolvedAt: nullable(time),
})
export type ConnectorRefusal = Static<typeof ConnectorRefusal>

/** What the connector of a family was told, newest first; at most 100 refusals are kept. */
export const ConnectorReport = Type.Object({
  refusals: Type.Array(ConnectorRefusal),
  unresolved: Type.Number(),
  lastTest: nullable(Type.Object({ at: time, group: Type.String(), tokenName: Type.String() })),
})
export type ConnectorReport = Static<typeof ConnectorReport>
