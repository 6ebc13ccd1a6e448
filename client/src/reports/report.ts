import type { Result, SbomReceipt } from '../answers.ts'
import type { Policy, PolicyHit } from '../policy.ts'

/** What the reports on an upload are made from. */
export type Report = {
  /** The path of the SBOM as it was given. */
  file: string
  sbom: SbomReceipt
  result: Result
  /** null without `--fail-on`. */
  judged: Judged | null
}

export type Judged = {
  policy: Policy
  hits: readonly PolicyHit[]
  /** No component could be checked, and that is not allowed. */
  isUnjudged: boolean
  /** Why the data are older than `--max-data-age` allows; null: they are not, or nothing was asked. */
  tooOld: string | null
}
