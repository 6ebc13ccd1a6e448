/** Where text goes: standard output or standard error. */
export type Output = { write: (text: string) => unknown; isTTY?: boolean | undefined }

export type Environment = Readonly<Record<string, string | undefined>>

/** Everything of the process that the client needs; only main.ts takes it from the process itself. */
export type Ports = {
  env: Environment
  out: Output
  err: Output
  /** Milliseconds of a clock that never goes back. */
  nowMs: () => number
  sleep: (ms: number) => Promise<void>
  /** From 0 to 1, for the spread of retries. */
  random: () => number
}

/** A variable of the environment; empty or only spaces is as if absent. */
export function variable(env: Environment, name: string): string | null {
  const text = env[name]?.trim() ?? ''
  return text === '' ? null : text
}
