import type { Generated } from 'kysely'
import type { AuditAction, AuditObjectKind } from '../../contract/audit/audit.ts'
import type { JsonOrNull } from '../json-column.ts'
import type { PublicLanguage } from '../../contract/disclosure/inbox.ts'
import type { Plan } from '../../contract/plans.ts'
import type { LinkPurpose } from '../../contract/letters.ts'
import type { ProductClass, ProductType } from '../../contract/incidents/product-facts.ts'
import type { ActorKind, Role } from '../../contract/roles.ts'
import type { PasskeyPurpose } from '../../contract/people/sign-in.ts'
import type { TokenKind } from '../../contract/tokens.ts'

/** Companies, their people, families and tokens, and who did what. */
export type WorkspaceTables = {
  workspace: WorkspaceTable
  disclosure_settings: DisclosureSettingsTable
  person: PersonTable
  member: MemberTable
  session: SessionTable
  sign_in_window: SignInWindowTable
  setup_link: SetupLinkTable
  authenticator: AuthenticatorTable
  recovery_code: RecoveryCodeTable
  sign_in_step: SignInStepTable
  single_sign_on: SingleSignOnTable
  workspace_domain: WorkspaceDomainTable
  company_link: CompanyLinkTable
  company_sign_in: CompanySignInTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  one_time_link: OneTimeLinkTable
  sign_up: SignUpTable
  invitation: InvitationTable
  mail_request_window: MailRequestWindowTable
  family: FamilyTable
  family_badge: FamilyBadgeTable
  product_facts: ProductFactsTable
  product_version: ProductVersionTable
  token: TokenTable
  token_use: TokenUseTable
  operator_link: OperatorLinkTable
  operator_session: OperatorSessionTable
  audit_event: AuditEventTable
  audit_due: AuditDueTable
  audit_link: AuditLinkTable
  audit_chain: AuditChainTable
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
}

type DisclosureSettingsTable = {
  workspace_id: string
  public_contact_email: string | null
  canonical_url: string | null
  acknowledge_days: number | null
  policy: Generated<string | null>
  encryption_url: Generated<string | null>
  languages: Generated<PublicLanguage[]>
  embargo_days: Generated<number>
}

type PersonTable = {
  id: string
  email: string
  name: string
  password_hash: string | null
  created_at: Date
  time_zone: Generated<string | null>
}

type MemberTable = {
  workspace_id: string
  person_id: string
  role: Role
  created_at: Date
  removed_at: Date | null
}

type SessionTable = {
  id: string
  secret_hash: Buffer
  person_id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  address: string | null
  confirmed_at: Date | null
  has_second_factor: Generated<boolean>
  company_workspace_id: Generated<string | null>
}

type SignInWindowTable = {
  subject: Buffer
  window_started_at: Date
  attempts: number
  person_id: string | null
}

type SetupLinkTable = { secret_hash: Buffer; created_at: Date; used_at: Date | null }

type AuthenticatorTable = {
  id: string
  person_id: string
  secret_sealed: Buffer
  created_at: Date
  confirmed_at: Date | null
  last_step: Generated<number>
}

type RecoveryCodeTable = { person_id: string; code_hash: Buffer; created_at: Date; used_at: Date | null }

type SingleSignOnTable = {
  id: string
  workspace_id: string
  issuer: string
  client_id: string
  client_secret_sealed: Buffer | null
  changed_at: Date
}

type WorkspaceDomainTable = {
  workspace_id: string
  domain: string
  proof: string
  created_at: Date
  verified_at: Date | null
}

type CompanyLinkTable = {
  workspace_id: string
  issuer: string
  subject: string
  person_id: string
  created_at: Date
}

type CompanySignInTable = {
  secret_hash: Buffer
  workspace_id: string
  session_id: string | null
  created_at: Date
}

type PasskeyTable = {
  id: string
  person_id: string
  name: string
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

type PasskeyChallengeTable = {
  challenge: string
  purpose: PasskeyPurpose
  person_id: string | null
  created_at: Date
}

type SignInStepTable = { secret_hash: Buffer; person_id: string; created_at: Date }
type OneTimeLinkTable = {
  id: string
  purpose: LinkPurpose
  secret_hash: Buffer
  secret_sealed: Buffer | null
  recipient: string
  person_id: string | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

type SignUpTable = {
  link_id: string
  name: string
  company_name: string
  slug: string
  security_contact_email: string
  time_zone: string
  terms_url: string | null
}

type InvitationTable = {
  id: string
  workspace_id: string
  email: string
  role: Role
  invited_by: string | null
  invited_by_name: string
  created_at: Date
  sent_at: Date
  expires_at: Date
  link_id: string | null
  accepted_at: Date | null
  accepted_by: string | null
  withdrawn_at: Date | null
}

type OperatorLinkTable = { secret_hash: Buffer; created_at: Date; expires_at: Date }

type OperatorSessionTable = {
  id: string
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
  address: string
}

type MailRequestWindowTable = { subject: Buffer; window_started_at: Date; ends_at: Date; requests: number }

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

type AuditDueTable = { chain: string; event_id: number }

type AuditLinkTable = { chain: string; position: number; event_id: number; hash: Buffer }

type AuditChainTable = { chain: string; position: number; hash: Buffer }

type AuditEventTable = {
  id: Generated<number>
  workspace_id: string | null
  at: Date
  actor_kind: ActorKind
  actor_id: string | null
  actor_name: string
  action: AuditAction
  object_kind: AuditObjectKind
  object_id: string
  object_name: string | null
  before: JsonOrNull<unknown>
  after: JsonOrNull<unknown>
  request_id: string | null
  address: string | null
}
