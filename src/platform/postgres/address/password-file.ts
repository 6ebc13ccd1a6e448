import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AddressError } from './split-uri.ts'

/** Whose password is looked for, and where. */
export type Sought = { host: string; port: number; database: string; user: string }

const maxBytes = 1024 * 1024
/** Where packages of PostgreSQL have its socket: a line for `localhost` is meant. */
const usualSockets = ['/var/run/postgresql', '/run/postgresql', '/tmp']

/**
 * The password that a file has for a server that asks for one, as libpq reads it (PostgreSQL manual, "The Password File"); without a name `~/.pgpass`. Read
 * each time, so that it can be changed. Where libpq passes over a file that others may read, and then has no password, the file is named.
 */
export function passwordFrom(file: string | undefined, sought: Sought): string {
  const named = file ?? join(homedir(), '.pgpass')
  const text = readSecret(named, file !== undefined)
  const password = text === null ? undefined : findPassword(text, sought)
  if (password !== undefined) return password
  const found = text === null ? '' : `, nor in "${named}" a line for this host, port, database and role`
  throw new AddressError(
    `expected a password, because the server asks for one, found none in the address or PGPASSWORD${found}`,
  )
}

/** The password of the first line `host:port:database:role:password` that fits; `*` matches anything, and a backslash escapes the next character. */
export function findPassword(text: string, { host, port, database, user }: Sought): string | undefined {
  const hosts = usualSockets.includes(host) ? [host, 'localhost'] : [host]
  const wanted = [hosts, [String(port)], [database], [user]]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields =
      /^((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^:])*)/s.exec(line)
    if (fields === null) continue
    const [, ...written] = fields
    const fits = wanted.every((values, index) => {
      const field = written[index] ?? ''
      return field === '*' || values.includes(meant(field))
    })
    if (fits) return meant(written[4] ?? '')
  }
  return undefined
}

function meant(field: string): string {
  return field.replaceAll(/\\(.)/gs, '$1')
}

/** Null: there is none, where none has to be. */
function readSecret(file: string, isNamed: boolean): string | null {
  try {
    const { mode, size } = statSync(file)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32')
      throw new AddressError(
        `expected the file of passwords "${file}" to be its owner's alone (chmod 600), found mode ${(mode & 0o777).toString(8)}`,
      )
    if (size > maxBytes)
      throw new AddressError(
        `expected the file of passwords "${file}" to be at most 1 MB, found ${size} bytes`,
      )
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof AddressError) throw error
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (!isNamed && reason === 'ENOENT') return null
    throw new AddressError(
      `expected passfile, or PGPASSFILE, to name a file that can be read, found "${file}" (${reason})`,
    )
  }
}
