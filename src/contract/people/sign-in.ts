/** How a person proves who they are, as the application's own interface shows it. */
import { Type, type Static } from 'typebox'
import { Session } from './sessions.ts'
import { time, nullable } from '../schema.ts'

/** What can follow the password. */
export const secondFactorWays = ['app', 'passkey', 'recovery_code'] as const
export type SecondFactorWay = (typeof secondFactorWays)[number]

/** The password was right; the sign-in waits for one of these. `secret` goes back with it, within ten minutes. */
export const SecondStep = Type.Object({
  secret: Type.String(),
  ways: Type.Array(Type.Enum(secondFactorWays)),
})
export type SecondStep = Static<typeof SecondStep>

export const SignInAnswer = Type.Union([Session, Type.Object({ secondStep: SecondStep })])
export type SignInAnswer = Static<typeof SignInAnswer>

export const PasskeyRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  addedAt: time,
  lastUsedAt: nullable(time),
})
export type PasskeyRow = Static<typeof PasskeyRow>

/** What a person's own account shows of how they sign in. */
export const SecondFactors = Type.Object({
  /** The authenticator app; null: none. */
  app: nullable(Type.Object({ addedAt: time })),
  passkeys: Type.Array(PasskeyRow),
  recoveryCodes: Type.Object({ left: Type.Number() }),
  /** Companies of the person whose workspaces ask for a second factor. */
  requiredBy: Type.Array(Type.String()),
})
export type SecondFactors = Static<typeof SecondFactors>

/** What a passkey is asked to sign for. */
export const passkeyPurposes = ['register', 'sign_in', 'second_step', 'confirm'] as const
export type PasskeyPurpose = (typeof passkeyPurposes)[number]

/** What the browser's passkey interface takes, as its own JSON (W3C Web Authentication, level 3, §5.1). */
export const PasskeyOptions = Type.Object({ options: Type.Record(Type.String(), Type.Unknown()) })
export type PasskeyOptions = Static<typeof PasskeyOptions>

export const CompanyIssuer = Type.Object({
  issuer: Type.String(),
  clientId: Type.String(),
  hasSecret: Type.Boolean(),
})
export type CompanyIssuer = Static<typeof CompanyIssuer>

export const DomainRow = Type.Object({
  domain: Type.String(),
  verifiedAt: nullable(time),
  /** The TXT record that shows whose the domain is. */
  record: Type.Object({ name: Type.String(), value: Type.String() }),
})
export type DomainRow = Static<typeof DomainRow>

/** What members need to come in. */
export const SignInSettings = Type.Object({
  requiresSecondFactor: Type.Boolean(),
  /** Members who have none. */
  withoutSecondFactor: Type.Number(),
  /** Null: no issuer is set. The secret is never shown. */
  company: nullable(CompanyIssuer),
  /** Members other than owners come in through the issuer alone. */
  requiresSingleSignOn: Type.Boolean(),
  /** Accounts of the issuer that have signed in. */
  linked: Type.Number(),
  domains: Type.Array(DomainRow),
  /** What the issuer has to be told. */
  redirectUri: Type.String(),
})
export type SignInSettings = Static<typeof SignInSettings>

/** Where the browser goes next: the issuer of the company. */
export const CompanySignIn = Type.Object({ url: Type.String() })
export type CompanySignIn = Static<typeof CompanySignIn>

/** Workspaces whose company has shown that the domain of an address is its own. */
export const CompanyWorkspaces = Type.Object({
  workspaces: Type.Array(Type.Object({ slug: Type.String(), companyName: Type.String() })),
})
export type CompanyWorkspaces = Static<typeof CompanyWorkspaces>

/** A new authenticator app: the secret in base32, and the address that a QR code carries to it. */
export const NewApp = Type.Object({ secret: Type.String(), uri: Type.String() })
export type NewApp = Static<typeof NewApp>

/** Shown once; only their hashes are stored. Empty: those of before stay valid. */
export const NewRecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type NewRecoveryCodes = Static<typeof NewRecoveryCodes>

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
