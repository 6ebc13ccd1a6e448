/** Of the pooler of a run of tests (TEST_POOLER): an address of its own, by which a process is told what lies behind it. */
export const poolerHost = '127.0.0.2'

/** The variables of a process, with what it must be told of a pooler in transaction mode where its database is reached through one. */
export function withPooler<Env extends NodeJS.ProcessEnv>(env: Env): Env {
  const url = env['DATABASE_URL'] ?? ''
  return url.includes(`@${poolerHost}:`)
    ? {
        DATABASE_POOLER: 'transaction',
        ...(env['DATABASE_POOLER'] === undefined && named),
        ...listeningBeside(url),
        ...env,
      }
    : env
}

const named: NodeJS.ProcessEnv =
  process.env['TEST_POOLER'] === 'tracked' ? { DATABASE_POOLER_STATEMENTS: 'tracked' } : {}

/** As docs/operating.md recommends: work is noticed at once where the server itself can be reached. */
function listeningBeside(pooled: string): NodeJS.ProcessEnv {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) return {}
  const direct = new URL(server)
  direct.pathname = new URL(pooled).pathname
  return { DATABASE_LISTEN_URL: direct.toString() }
}
