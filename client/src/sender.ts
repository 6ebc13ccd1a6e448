import type { ExitCode } from './failure.ts'
import type { Ports } from './ports.ts'
import type { Terminal } from './terminal.ts'

/** The environment of a command. */
export type Sender = {
  ports: Ports
  terminal: Terminal
  /** When the whole run must end, by the ports' clock. */
  deadlineMs: number
}

/** The result of a command; `--json` prints it. */
export type Ending = Record<string, unknown> & { exitCode: ExitCode }

/** For one attempt to send a file: 4 MB over a slow line, and parsing 50 000 components. */
export const postTimeoutMs = 120_000
