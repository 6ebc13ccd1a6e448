import { expect, it } from 'vitest'
import { readPooler } from './pooler.ts'

const url = 'postgresql://monitor:s3cret@pooler:6432/monitor'
const direct = 'postgresql://monitor:s3cret@database:5432/monitor'

const read = (env: Record<string, string>) => {
  const mistakes: string[] = []
  return { ...readPooler(env, env['DATABASE_URL'] ?? null, mistakes), mistakes: mistakes.join() }
}

it.each([
  [{}, {}],
  [{ DATABASE_URL: url }, {}],
  [{ DATABASE_URL: url, DATABASE_POOLER: 'transaction' }, { pooler: 'transaction' }],
  [
    { DATABASE_URL: url, DATABASE_POOLER: 'transaction', DATABASE_POOLER_STATEMENTS: 'tracked' },
    { pooler: 'transaction', tracksStatements: true },
  ],
  [
    { DATABASE_URL: url, DATABASE_POOLER: 'transaction', DATABASE_LISTEN_URL: direct },
    { pooler: 'transaction', listenUrl: direct },
  ],
  // in session mode too, whoever listens may leave the pooler's sessions to others
  [{ DATABASE_URL: url, DATABASE_LISTEN_URL: direct }, { listenUrl: direct }],
])('%o is taken', (env, expected) => {
  const standard = { pooler: null, tracksStatements: false, listenUrl: null }
  expect(read(env)).toEqual({ ...standard, ...expected, mistakes: '' })
})

it.each([
  [
    { DATABASE_URL: url, DATABASE_POOLER: 'session' },
    'DATABASE_POOLER: expected transaction, found "session"',
  ],
  [{ DATABASE_POOLER: 'transaction' }, 'DATABASE_POOLER: has no meaning without DATABASE_URL'],
  [
    { DATABASE_URL: url, DATABASE_POOLER_STATEMENTS: 'tracked' },
    'DATABASE_POOLER_STATEMENTS: has no meaning without DATABASE_POOLER',
  ],
  [
    { DATABASE_URL: url, DATABASE_POOLER: 'transaction', DATABASE_POOLER_STATEMENTS: 'yes' },
    'DATABASE_POOLER_STATEMENTS: expected tracked, or nothing, found "yes"',
  ],
  [{ DATABASE_LISTEN_URL: direct }, 'DATABASE_LISTEN_URL: has no meaning without DATABASE_URL'],
  [{ DATABASE_URL: url, DATABASE_LISTEN_URL: 'database' }, 'DATABASE_LISTEN_URL: expected an address'],
])('%o is refused in words', (env, words) => {
  expect(read(env).mistakes).toContain(words)
  expect(read(env).mistakes).not.toContain('s3cret')
})
