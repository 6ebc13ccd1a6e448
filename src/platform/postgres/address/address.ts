import type { ChannelBinding } from './channel-binding.ts'
import type { TlsSettings } from './tls.ts'

/** One server: a name or number and a port, or the folder of a unix socket and the port in the socket's name. */
export type Host = {
  host: string
  port: number
  /** Where it is reached, if that is known beside its name, by which its certificate is judged. */
  address?: string
}

/** What is asked of a server: anything, that its sessions may write, that it is no standby, or that it is one (of DATABASE_READ_URL alone). */
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
  /** Whether they are tried in another order each time. */
  isShuffled: boolean
  /** How long one host may take; null: as long as whoever opens the session waits. */
  connectTimeoutMs: number | null
  /** After how long without a word the system asks whether the other side is still there; null: never. Undefined: the program's own. */
  keepAliveMs: number | null | undefined
  applicationName: string | undefined
  /** Further settings of the session, `-c name=value …`. */
  options: string | undefined
}
