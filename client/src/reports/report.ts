import type { Result, SbomReceipt } from '../answers.ts'
import type { Policy, PolicyHit } from '../policy.ts'

/** The data for all reports on an upload. */
export type Report = {
  /** The path of the SBOM as given. */
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
  /** Why the data exceed `--max-data-age`; null: they do not, or there is no limit. */
  tooOld: string | null
}
