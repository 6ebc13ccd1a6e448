import type { Grade } from '../../contract/findings/shapes.ts'

/** Which records affect which identities. */
export type MatchingTables = {
  identity_match: IdentityMatchTable
}

type IdentityMatchTable = {
  identity_id: string
  vulnerability_id: number
  grade: Grade
  grade_reason: string | null
  range_id: number
  matched_at: Date
}
