import type { Generated } from 'kysely'
import type { JsonOrNull } from '../json-column.ts'
import type { Plan } from '../../contract/workspace/plans.ts'

/** Companies, and the operator. */
export type WorkspaceTables = {
  workspace: WorkspaceTable
  operator_link: OperatorLinkTable
  operator_session: OperatorSessionTable
  moved_address: MovedAddressTable
  act_key: ActKeyTable
}

type WorkspaceTable = {
  id: string
  slug: string
  company_name: string
  security_contact_email: string
  time_zone: Generated<string>
  plan: Plan
  trial_ends_at: Date | null
  paid_until: Date | null
  closed_at: Date | null
  created_at: Date
  slug_frozen_at: Generated<Date | null>
  requires_second_factor: Generated<boolean>
  requires_single_sign_on: Generated<boolean>
  suspended_at: Generated<Date | null>
  most_families: Generated<number | null>
  most_sboms: Generated<number | null>
  most_bytes: Generated<number | null>
  most_file_bytes: Generated<number | null>
  paused_from: Generated<Date | null>
  moving_at: Generated<Date | null>
  moved_to: Generated<string | null>
}

type MovedAddressTable = { slug: string; origin: string; until: Date | null; set_at: Date }

type ActKeyTable = {
  workspace_id: string
  person_id: string
  key: string
  act: Buffer
  answer: JsonOrNull<unknown>
  at: Date
}

type OperatorLinkTable = { secret_hash: Buffer; created_at: Date; expires_at: Date }

type OperatorSessionTable = {
  id: string
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
  address: string
}
