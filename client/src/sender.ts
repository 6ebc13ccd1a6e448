import type { ExitCode } from './failure.ts'
import type { Ports } from './ports.ts'
import type { Terminal } from './terminal.ts'

/** What a command works with. */
export type Sender = {
  ports: Ports
  terminal: Terminal
  /** When the whole run must be over, on the clock of the ports. */
  deadlineMs: number
}

/** What a command leaves behind; `--json` prints it. */
export type Ending = Record<string, unknown> & { exitCode: ExitCode }

/** For one attempt to send a file: 4 MB over a slow line, and the reading of 50 000 components. */
export const postTimeoutMs = 120_000
