import type { ChannelBinding } from './channel-binding.ts'
import type { TlsSettings } from './tls.ts'

/** One server: a name or number and a port, or the folder of a unix socket and the port in the socket's name. */
export type Host = {
  host: string
  port: number
  /** The address to connect to, if known beside the name by which its certificate is checked. */
  address?: string
}

/** What a server has to be: anything, writable, no standby, or a standby (DATABASE_READ_URL only). */
export type SessionAttributes = 'any' | 'read-write' | 'primary' | 'standby'

/** What `DATABASE_URL` says. What it leaves open is undefined, and the driver's to find (`PGUSER`, `PGPASSWORD`). */
export type DatabaseAddress = {
  /** In the order in which they are tried; at least one. */
  hosts: Host[]
  user: string | undefined
  password: string | undefined
  /** Where the password is looked for when there is none and the server asks for one; undefined: in `~/.pgpass`. */
  passFile: string | undefined
  database: string | undefined
  tls: TlsSettings
  channelBinding: ChannelBinding
  attributes: SessionAttributes
  /** Whether they are tried in a random order. */
  isShuffled: boolean
  /** How long one host may take; null: as long as the caller waits. */
  connectTimeoutMs: number | null
  /** After how much silence TCP keepalives begin; null: never. Undefined: the program's own. */
  keepAliveMs: number | null | undefined
  applicationName: string | undefined
  /** Further settings of the session, `-c name=value …`. */
  options: string | undefined
}
