import { readAddress } from '../postgres/address/read-address.ts'
import { AddressError } from '../postgres/address/split-uri.ts'
import { judgeTls } from '../postgres/address/tls.ts'
import { text, type Environment } from './environment.ts'

/** The address of an external database in the variable of that name; null without. Never repeats it, which may hold a password. */
export function readDatabaseUrl(
  env: Environment,
  name: 'DATABASE_URL' | 'DATABASE_LISTEN_URL' | 'DATABASE_READ_URL',
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

/** DATABASE_READ_URL. `databaseUrl`: of the primary. */
export function readReadUrl(env: Environment, databaseUrl: string | null, mistakes: string[]): string | null {
  const asked = /[?&]target_session_attrs=(?!any(?:&|$))/.test(text(env['DATABASE_READ_URL']) ?? '')
  if (asked) {
    mistakes.push(
      'DATABASE_READ_URL: target_session_attrs: a standby is looked for here whatever it says; leave it out',
    )
  }
  const url = readDatabaseUrl(env, 'DATABASE_READ_URL', asked ? [] : mistakes)
  if (url === null) return null
  if (databaseUrl === null) mistakes.push('DATABASE_READ_URL: has no meaning without DATABASE_URL; unset it')
  return url
}
