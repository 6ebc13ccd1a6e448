import { readAddress } from '../postgres/address/read-address.ts'
import { AddressError } from '../postgres/address/split-uri.ts'
import { judgeTls } from '../postgres/address/tls.ts'
import { text, type Environment } from './environment.ts'

/** The address of an external database in the variable of that name; null without. Never repeats it, which may hold a password. */
export function readDatabaseUrl(
  env: Environment,
  name: 'DATABASE_URL' | 'DATABASE_LISTEN_URL',
  mistakes: string[],
): string | null {
  const value = text(env[name])
  if (value === null) return null
  try {
    const address = readAddress(value, env)
    if (address !== null) judgeTls(address.tls)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    mistakes.push(`${name}: ${error.message}`)
  }
  return value
}
