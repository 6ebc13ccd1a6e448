/** Of the pooler of a run of tests (TEST_POOLER): an address of its own, by which a process is told what lies behind it. */
export const poolerHost = '127.0.0.2'

/** The variables of a process, with what it must be told of a pooler in transaction mode where its database is reached through one. */
export function withPooler<Env extends NodeJS.ProcessEnv>(env: Env): Env {
  const url = env['DATABASE_URL'] ?? ''
  return url.includes(`@${poolerHost}:`) ? { DATABASE_POOLER: 'transaction', ...env } : env
}
