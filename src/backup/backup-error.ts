/** Why a backup was not written or not restored; every message says what the operator can do about it. */
export type BackupErrorCode =
  /** The file to write exists already, or its folder cannot be written. */
  | 'file_unusable'
  /** Not a backup, cut short, or changed since it was written. */
  | 'file_damaged'
  /** The database to back up was never used by this service. */
  | 'database_empty'
  /** The backup was made by a newer release, or by one with other migrations. */
  | 'schema_unknown'
  /** The database to restore into holds data, foreign tables, or a newer schema. */
  | 'database_not_empty'
  /** A pooler lends no session for as long as a restore takes. */
  | 'pooler_in_front'
  /** Other processes have the database open. */
  | 'database_in_use'

export class BackupError extends Error {
  readonly code: BackupErrorCode

  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
    this.code = code
  }
}
