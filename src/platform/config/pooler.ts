import { readDatabaseUrl } from './database-url.ts'
import { text, type Environment } from './environment.ts'

type PoolerSettings = {
  /** How a pooler behind DATABASE_URL lends the server's sessions. Null: none, or for a whole session. */
  pooler: 'transaction' | null
  /** Whether it tracks the names of statements, so that statements may be named. */
  tracksStatements: boolean
  /** Where to listen for notifications; null: at DATABASE_URL, or nowhere. */
  listenUrl: string | null
}

/** What is said of a pooler in front of the database. Never repeats an address, which may hold a password. */
export function readPooler(env: Environment, databaseUrl: string | null, mistakes: string[]): PoolerSettings {
  const pooler = text(env['DATABASE_POOLER'])
  const listenUrl = readDatabaseUrl(env, 'DATABASE_LISTEN_URL', mistakes)
  if (pooler !== null && pooler !== 'transaction') {
    mistakes.push(
      `DATABASE_POOLER: expected transaction, found "${pooler}"; a pooler in session mode works without it, and one in ` +
        'statement mode does not work',
    )
  }
  const statements = readStatements(env, pooler, mistakes)
  if (databaseUrl === null) {
    for (const [name, value] of Object.entries({ DATABASE_POOLER: pooler, DATABASE_LISTEN_URL: listenUrl }))
      if (value !== null) mistakes.push(`${name}: has no meaning without DATABASE_URL; unset it`)
  }
  return {
    pooler: pooler === 'transaction' ? pooler : null,
    tracksStatements: statements === 'tracked',
    listenUrl,
  }
}

function readStatements(env: Environment, pooler: string | null, mistakes: string[]): string | null {
  const statements = text(env['DATABASE_POOLER_STATEMENTS'])
  if (statements === null) return null
  if (statements !== 'tracked')
    mistakes.push(`DATABASE_POOLER_STATEMENTS: expected tracked, or nothing, found "${statements}"`)
  if (pooler === null)
    mistakes.push('DATABASE_POOLER_STATEMENTS: has no meaning without DATABASE_POOLER; unset it')
  return statements
}
