import type { Generated } from 'kysely'
import type { LinkPurpose } from '../../contract/notices/letters.ts'
import type { Role } from '../../contract/roles.ts'
import type { PasskeyPurpose } from '../../contract/people/sign-in.ts'

/** People, how they sign in, and what they are in which workspace. */
export type PeopleTables = {
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

type MailRequestWindowTable = { subject: Buffer; window_started_at: Date; ends_at: Date; requests: number }
