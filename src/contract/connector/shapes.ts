import type { ErrorCode } from '../errors.ts'

/** A refused request of the Dependency-Track connector; the platform shows its users nothing of it. */
export type ConnectorRefusal = {
  id: string
  /** The last of `times` equal ones in a row. */
  at: string
  times: number
  /** HTTP status of the answer. */
  status: number
  error: ErrorCode
  detail: string | null
  /** Of the notification, as far as it could be read. */
  group: string | null
  projectName: string | null
  projectVersion: string | null
  sizeBytes: number | null
  tokenName: string
  /** When a BOM of the project was taken after all; null: unresolved. */
  resolvedAt: string | null
}

/** What the connector of a family was told, newest first; at most 100 refusals are kept. */
export type ConnectorReport = {
  refusals: ConnectorRefusal[]
  unresolved: number
  lastTest: { at: string; group: string; tokenName: string } | null
}
