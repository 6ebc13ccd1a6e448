/** Why a workspace was not written to an archive, or not taken in; every message says what the operator can do about it. */
export type MoveErrorCode =
  /** The file to write exists already, or cannot be written or read. */
  | 'file_unusable'
  /** Not an archive of a workspace, cut short, or changed since it was written. */
  | 'file_damaged'
  /** The archive was sealed with another transport key, or values at the source with one that is missing. */
  | 'wrong_key'
  /** The two installations do not have the same schema. */
  | 'schema_differs'
  /** The workspace is not in the state that the step needs. */
  | 'not_ready'
  /** An original is missing from the object store of the source, or cannot be opened or read. */
  | 'original_lost'
  /** The object store of the target does not take originals. */
  | 'store_away'
  /** The target has a workspace, an address or rows with the same ids already. */
  | 'conflict'
  /** The audit trail does not fit its chain. */
  | 'trail_broken'

export class MoveError extends Error {
  override name = 'MoveError'
  readonly code: MoveErrorCode

  constructor(code: MoveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
