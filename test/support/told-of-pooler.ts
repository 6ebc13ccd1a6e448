/** The pooler of a test run (TEST_POOLER) has its own address, which tells a process what is behind it. */
export const poolerHost = '127.0.0.2'

/** Environment of a process, with the settings it needs if its database is behind a pooler in transaction mode. */
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

/** As docs/operating.md recommends: jobs are noticed at once where the server itself is reachable. */
function listeningBeside(pooled: string): NodeJS.ProcessEnv {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) return {}
  const direct = new URL(server)
  direct.pathname = new URL(pooled).pathname
  return { DATABASE_LISTEN_URL: direct.toString() }
}
