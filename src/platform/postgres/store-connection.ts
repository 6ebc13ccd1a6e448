import type { PoolConfig } from 'pg'

/** Where the store is, for the driver. */
export type StoreConnection = PoolConfig & {
  /** A pooler that lends the server's sessions for one transaction each: no session state outlives it. None: the session is ours. */
  pooler?: 'transaction'
  /** The pooler knows the statements of its clients by name, and prepares them in whichever session it lends. */
  tracksStatements?: boolean
  /** How long the server may take to open a session. Default: that of silence/bounded-client.ts. */
  openTimeoutMs?: number
  /** One of the standbys of an address; any other server is skipped. */
  seeksStandby?: boolean
  /** Gives up the opening of a session, not one that is open. */
  signal?: AbortSignal
}
