import type { ShownDecidability } from '../../contract/identity.ts'
import type { JsonOrNull } from '../json-column.ts'

/** What is counted each day. */
export type MetricsTables = {
  family_day: FamilyDayTable
  family_day_turn: FamilyDayTurnTable
  coverage_day: CoverageDayTable
}

type FamilyDayTable = {
  family_id: string
  /** `2026-01-31` */
  day: string
  workspace_id: string
  counted_at: Date
  kev: number
  euvd: number
  exploited: number
  covered: number
  components: number
}

type CoverageDayTable = {
  workspace_id: string
  /** `2026-01-31` */
  day: string
  /** '' where a component has none. */
  ecosystem: string
  state: ShownDecidability
  components: number
  /** How many of them by release, '' without one; null where an earlier release of the program counted. */
  releases: JsonOrNull<Record<string, number>>
  counted_at: Date
}

type FamilyDayTurnTable = { workspace_id: string; day: string }
