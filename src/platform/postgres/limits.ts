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

/** The settings of PostgreSQL that every session has, limits first; times are in milliseconds. */
export function settingsOf({ statementTimeoutMs, lockTimeoutMs, byIndexes }: Limits): Map<string, string> {
  const settings = new Map([
    ['statement_timeout', String(statementTimeoutMs)],
    ['lock_timeout', String(lockTimeoutMs)],
    ['idle_in_transaction_session_timeout', String(idleInTransactionMs)],
    // Compiling any statement of ours takes longer than running it, but without statistics the planner expects the opposite.
    ['jit', 'off'],
  ])
  if (byIndexes) settings.set('enable_seqscan', 'off')
  return settings
}

/** One statement for the driver that sets limits: until the session ends, or with `set local` until the transaction does. */
export function settingLimits(set: 'set' | 'set local', limits: Limits): string {
  return [...settingsOf(limits)].map(([name, value]) => `${set} ${name} = ${value}`).join('; ')
}
