/** How a person proves who they are, as the application's own interface shows it. */
import type { Session } from './sessions.ts'

/** What can follow the password. */
export const secondFactorWays = ['app', 'passkey', 'recovery_code'] as const
export type SecondFactorWay = (typeof secondFactorWays)[number]

/** The password was right; the sign-in waits for one of these. `secret` goes back with it, within ten minutes. */
export type SecondStep = { secret: string; ways: SecondFactorWay[] }

export type SignInAnswer = Session | { secondStep: SecondStep }

/** What a person's own account shows of how they sign in. */
export type SecondFactors = {
  /** The authenticator app; null: none. */
  app: { addedAt: string } | null
  passkeys: PasskeyRow[]
  recoveryCodes: { left: number }
  /** Companies of the person whose workspaces ask for a second factor. */
  requiredBy: string[]
}

export type PasskeyRow = { id: string; name: string; addedAt: string; lastUsedAt: string | null }

/** What a passkey is asked to sign for. */
export const passkeyPurposes = ['register', 'sign_in', 'second_step', 'confirm'] as const
export type PasskeyPurpose = (typeof passkeyPurposes)[number]

/** What the browser's passkey interface takes, as its own JSON (W3C Web Authentication, level 3, §5.1). */
export type PasskeyOptions = { options: Readonly<Record<string, unknown>> }

/** What members need to come in. */
export type SignInSettings = {
  requiresSecondFactor: boolean
  /** Members who have none. */
  withoutSecondFactor: number
  /** Null: no issuer is set. The secret is never shown. */
  company: CompanyIssuer | null
  /** Members other than owners come in through the issuer alone. */
  requiresSingleSignOn: boolean
  /** Accounts of the issuer that have signed in. */
  linked: number
  domains: DomainRow[]
  /** What the issuer has to be told. */
  redirectUri: string
}

export type CompanyIssuer = { issuer: string; clientId: string; hasSecret: boolean }

export type DomainRow = {
  domain: string
  verifiedAt: string | null
  /** The TXT record that shows whose the domain is. */
  record: { name: string; value: string }
}

/** Where the browser goes next: the issuer of the company. */
export type CompanySignIn = { url: string }

/** Workspaces whose company has shown that the domain of an address is its own. */
export type CompanyWorkspaces = { workspaces: { slug: string; companyName: string }[] }

/** A new authenticator app: the secret in base32, and the address that a QR code carries to it. */
export type NewApp = { secret: string; uri: string }

/** Shown once; only their hashes are stored. Empty: those of before stay valid. */
export type NewRecoveryCodes = { recoveryCodes: string[] }

/** What a person is told of by mail. */
export const factorChanges = [
  'app_added',
  'app_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'company_linked',
  'all_removed',
] as const
export type FactorChange = (typeof factorChanges)[number]
