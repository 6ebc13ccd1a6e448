export type Limits = {
  /** How long one statement may run. */
  statementTimeoutMs: number
  /** How long a statement may wait for a lock. */
  lockTimeoutMs: number
  /** Rows are found by indexes alone. */
  byIndexes: boolean
}

export const standardLimits: Limits = { statementTimeoutMs: 60_000, lockTimeoutMs: 10_000, byIndexes: false }

/** How long an open transaction may be idle: its process hangs while it has locks. */
const idleInTransactionMs = 60_000

/** What statements rely on, and a server, database or role may be set to otherwise. The rest travels with the opening of a session (bounded-client.ts). */
const reliedOn = [
  ['default_transaction_isolation', 'read committed'],
  ['IntervalStyle', 'postgres'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
] as const

/** The settings of PostgreSQL that every session has, limits first; times are in milliseconds. */
export function settingsOf({ statementTimeoutMs, lockTimeoutMs, byIndexes }: Limits): Map<string, string> {
  const settings = new Map<string, string>([
    ['statement_timeout', String(statementTimeoutMs)],
    ['lock_timeout', String(lockTimeoutMs)],
    ['idle_in_transaction_session_timeout', String(idleInTransactionMs)],
    // Compiling any statement of ours takes longer than running it, but without statistics the planner expects the opposite.
    ['jit', 'off'],
    ...reliedOn,
  ])
  if (byIndexes) settings.set('enable_seqscan', 'off')
  return settings
}

/** One statement for the driver that sets limits: until the session ends, or with `set local` until the transaction does. */
export function settingLimits(set: 'set' | 'set local', limits: Limits): string {
  return [...settingsOf(limits)].map(([name, value]) => `${set} ${name} = '${value}'`).join('; ')
}

/** What a transaction begins with that may take as long as it takes: it waits for a table no longer than others do, because one that hangs tells nobody. */
export const asLongAsItTakes = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${standardLimits.lockTimeoutMs}`
