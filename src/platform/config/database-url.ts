import { readAddress } from '../postgres/address/read-address.ts'
import { AddressError } from '../postgres/address/split-uri.ts'
import { judgeTls } from '../postgres/address/tls.ts'
import { text, type Environment } from './environment.ts'

/** The address of an external database; null without. Never repeats it, which may hold a password. */
export function readDatabaseUrl(env: Environment, mistakes: string[]): string | null {
  return readAddressIn('DATABASE_URL', env, mistakes)
}

/** What a variable holds, with what is wrong about it as an address, and about the files that it names. */
export function readAddressIn(variable: string, env: Environment, mistakes: string[]): string | null {
  const value = text(env[variable])
  if (value === null) return null
  try {
    const address = readAddress(value, env)
    if (address !== null) judgeTls(address.tls)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    mistakes.push(`${variable}: ${error.message}`)
  }
  return value
}
