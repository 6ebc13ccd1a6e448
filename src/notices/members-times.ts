import { sql, type RawBuilder } from 'kysely'
import type { NoticeChoices } from '../contract/notices/shapes.ts'
import type { Role } from '../contract/roles.ts'
import type { Db } from '../database/connection.ts'
import { knownZone } from '../workspace/company/company-rules.ts'
import { planAndDates, type PlanAndDates } from '../workspace/state.ts'

/** A member who is told something at an hour of their own zone. */
export type MemberInTime = PlanAndDates & {
  workspace_id: string
  person_id: string
  role: Role
  choices: NoticeChoices | null
  email: string
  name: string
}

/** Every zone that a member or a workspace has, with what `timeIn` says of it. */
export async function timesOfZones<Time>(
  db: Db,
  timeIn: (timeZone: string) => Time,
): Promise<(Time & { zone: string })[]> {
  const { rows } = await sql<{ zone: string }>`
    select time_zone as zone from workspace union select time_zone from member_notices where time_zone is not null`.execute(
    db,
  )
  return rows.map(({ zone }) => ({ ...timeIn(knownZone(zone)), zone }))
}

/** The columns of a `MemberInTime`, and the tables they come from; the member's zone is `zoneOfMember`. */
export const memberInTime: RawBuilder<unknown> = sql`
  m.workspace_id, m.person_id, m.role, n.choices, p.email, p.name, ${planAndDates('w')}`
export const membersInTime: RawBuilder<unknown> = sql`
  member m
  join workspace w on w.id = m.workspace_id
  join person p on p.id = m.person_id
  left join member_notices n on n.workspace_id = m.workspace_id and n.person_id = m.person_id`
export const zoneOfMember: RawBuilder<string> = sql`coalesce(n.time_zone, w.time_zone)`
