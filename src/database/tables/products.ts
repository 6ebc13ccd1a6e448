import type { Generated } from 'kysely'
import type { ProductClass, ProductType } from '../../contract/incidents/product-facts.ts'
import type { TokenKind } from '../../contract/tokens/shapes.ts'

/** Product families with their versions and tokens. */
export type ProductsTables = {
  family: FamilyTable
  family_badge: FamilyBadgeTable
  product_facts: ProductFactsTable
  product_version: ProductVersionTable
  token: TokenTable
  token_use: TokenUseTable
}

type FamilyTable = {
  id: string
  workspace_id: string
  name: string
  current_version_id: string | null
  next_component_number: Generated<number>
  created_at: Date
  archived_at: Date | null
  deleted_at: Date | null
}

type ProductFactsTable = {
  family_id: string
  workspace_id: string
  member_states: Generated<string[]>
  product_type: ProductType | null
  product_class: ProductClass | null
  category: string | null
  support_ends_on: string | null
  user_contact: string | null
  changed_at: Date
  changed_by_name: string
}

type FamilyBadgeTable = { family_id: string; workspace_id: string; secret: string; created_at: Date }

type ProductVersionTable = {
  id: string
  workspace_id: string
  family_id: string
  name: string
  created_at: Date
  retired_at: Date | null
}

type TokenTable = {
  id: string
  workspace_id: string
  kind: TokenKind
  family_id: string | null
  name: string
  prefix: string
  secret_hash: Buffer
  created_at: Date
  created_by: string | null
  expires_at: Date | null
  revoked_at: Date | null
  revoked_by: string | null
}

type TokenUseTable = {
  token_id: string
  last_used_at: Date
  window_started_at: Date
  window_requests: number
}
