import type { Client } from 'pg'

type Holder = { pid: number; role: string | null; program: string | null; since: Date | null }

/** Of each session, one line for whoever is to end it or to wait for it. */
async function describeSessions(session: Client, pids: readonly number[]): Promise<string[]> {
  const { rows } = await session.query<Holder>(
    `SELECT asked.pid, usename AS role, coalesce(nullif(application_name, ''), backend_type) AS program, xact_start AS since
     FROM unnest($1::int[]) AS asked (pid) LEFT JOIN pg_stat_activity a ON a.pid = asked.pid ORDER BY 1`,
    [pids],
  )
  return rows.map(describe)
}

/** A role without pg_read_all_stats is not told since when others' transactions run. */
function describe({ pid, role, program, since }: Holder): string {
  if (pid === 0) return 'a prepared transaction (pg_prepared_xacts)'
  const facts = [
    program ?? 'ended meanwhile',
    ...(role === null ? [] : [`role ${role}`]),
    ...(since === null ? [] : [`its transaction began at ${since.toISOString()}`]),
  ]
  return `session ${pid} (${facts.join(', ')})`
}

/** Who keeps a session of this server waiting now: asked on another one, because it is busy itself. */
export async function selectBlockers(session: Client, waiting: number): Promise<string[]> {
  const { rows } = await session.query<{ pids: number[] }>('SELECT pg_blocking_pids($1) AS pids', [waiting])
  return describeSessions(session, [...new Set(rows[0]?.pids)])
}

/** Who has an advisory lock of this database. */
export async function selectLockHolders(session: Client, lock: number): Promise<string[]> {
  const { rows } = await session.query<{ pid: number }>(
    `SELECT pid FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND (classid::bigint << 32) + objid::bigint = $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lock],
  )
  return describeSessions(
    session,
    rows.map(({ pid }) => pid),
  )
}
