/** Exit codes, part of the client's interface (`--help`). */
export const exitCodes = {
  /** Sent, and no policy hit. */
  fine: 0,
  /** `--fail-on` names something that was found. */
  policyHit: 1,
  /** A problem with arguments, environment or file: nothing was sent. */
  usage: 2,
  /** The service refused what was sent. */
  refused: 3,
  /** The service could not be reached, failed, or took longer than `--timeout`. */
  unreachable: 4,
  /** The service could not match the SBOM, or has no counts for it. */
  noResult: 5,
  /** `--fail-on` could not judge: no component of the SBOM could be checked, or only with outdated data. */
  unchecked: 6,
  /** A defect of the client (EX_SOFTWARE of sysexits): must not look like a policy hit. */
  defect: 70,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What the service answered instead of a result (docs/public-api.md, "Errors"). */
export type Refusal = { status: number; code: string; message: string; detail: string | null }

/** An expected exit other than 0. Anything else thrown is a defect of the client. */
export class Failure extends Error {
  readonly exitCode: ExitCode
  readonly refusal: Refusal | null
  /** What was already done, for `--json`. */
  readonly done: Readonly<Record<string, unknown>>

  constructor(
    exitCode: ExitCode,
    message: string,
    refusal: Refusal | null = null,
    done: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
    this.refusal = refusal
    this.done = done
  }
}

/** `--timeout` is over: nothing further was asked. */
export class OutOfTime extends Failure {}

/** Nothing was sent, because of arguments, environment or file. */
export function usageFailure(message: string): Failure {
  return new Failure(exitCodes.usage, message)
}
