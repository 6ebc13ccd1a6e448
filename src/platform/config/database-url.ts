import { text, type Environment } from './environment.ts'

/** The address of an external database; null without. Never repeats it, which may hold a password. */
export function readDatabaseUrl(env: Environment, mistakes: string[]): string | null {
  const value = text(env['DATABASE_URL'])
  if (value === null || isSocketFolder(value) || parseDatabaseUrl(value) !== null) return value
  mistakes.push(
    'DATABASE_URL: expected an address such as postgresql://role:password@host:5432/database; ' +
      'characters such as "@", ":" and "/" in a password are percent-encoded',
  )
  return value
}

/** `/run/postgresql monitor`, which the driver takes too. */
const isSocketFolder = (value: string) => value.startsWith('/')

/** The parts of an address of PostgreSQL; null where it is none. The host may be missing: `role@/database?host=/run/postgresql`. */
export function parseDatabaseUrl(value: string): URL | null {
  if (!/^(?:postgres(?:ql)?:\/\/|socket:)/.test(value)) return null
  return URL.parse(value) ?? URL.parse(value.replace('@/', '@localhost/'))
}
