import type { ClientConfig } from 'pg'

/** The same server and role, another database. */
export function onDatabase<Connection extends ClientConfig>(
  connection: Connection,
  database: string,
): Connection {
  const { connectionString } = connection
  if (connectionString === undefined) return { ...connection, database }
  return { ...connection, connectionString: withDatabase(connectionString, database) }
}

/** As read-address.ts reads it: the last value of a parameter counts, and takes precedence over the path. */
export function withDatabase(address: string, database: string): string {
  if (address.startsWith('/')) return `${address.split(' ')[0] ?? ''} ${database}`
  if (address.startsWith('socket:')) {
    const url = new URL(address)
    url.searchParams.set('db', database)
    return url.toString()
  }
  return `${address}${separator(address)}dbname=${encodeURIComponent(database)}`
}

/** A "?" before the host is part of a password. */
function separator(address: string): '?' | '&' | '' {
  const hosts = address.indexOf('//') + 2
  const path = address.indexOf('/', hosts)
  const credentials = (path === -1 ? address : address.slice(0, path)).lastIndexOf('@') + 1
  const query = address.indexOf('?', Math.max(hosts, credentials))
  if (query === -1) return '?'
  return query === address.length - 1 ? '' : '&'
}
