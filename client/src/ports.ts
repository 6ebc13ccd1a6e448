/** Where text goes: standard output or standard error. */
export type Output = { write: (text: string) => unknown; isTTY?: boolean | undefined }

export type Environment = Readonly<Record<string, string | undefined>>

/** All parts of the process that the client uses; only main.ts accesses the process itself. */
export type Ports = {
  env: Environment
  out: Output
  err: Output
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
  sleep: (ms: number) => Promise<void>
  /** From 0 to 1, for retry jitter. */
  random: () => number
}

/** An environment variable; blank counts as absent. */
export function variable(env: Environment, name: string): string | null {
  const text = env[name]?.trim() ?? ''
  return text === '' ? null : text
}
