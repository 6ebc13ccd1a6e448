import { Type, type Static } from 'typebox'
import type { Permission } from '../roles.ts'
import { nullable, time, Named } from '../schema.ts'

/** `upload` sends SBOMs and VEX for one family; `results` reads its results; `workspace` manages destinations. */
export const tokenKinds = ['upload', 'results', 'workspace'] as const
export type TokenKind = (typeof tokenKinds)[number]

export const tokenStatuses = ['Active', 'Expired', 'Revoked'] as const
export type TokenStatus = (typeof tokenStatuses)[number]

/** How long a token may be good for; one year is the default, null is for ever. */
export const tokenExpiryDays = [30, 90, 365] as const
export type TokenExpiryDays = (typeof tokenExpiryDays)[number] | null

/** What a member needs to create or revoke a token of this kind. */
export function tokenPermission(kind: TokenKind): Permission {
  return kind === 'workspace' ? 'manage_workspace_tokens' : 'manage_upload_tokens'
}

export const tokenPrefix = 'svc_'
/** The prefix and 43 characters of base64url: 256 random bits. */
export const tokenPattern = /^svc_[A-Za-z0-9_-]{43}$/

export const TokenRow = Type.Object({
  id: Type.String(),
  kind: Type.Enum(tokenKinds),
  name: Type.String(),
  family: nullable(Named),
  prefix: Type.String(),
  createdAt: time,
  createdBy: nullable(Type.String()),
  /** Whoever created it is no longer a member. */
  creatorRemoved: Type.Boolean(),
  lastUsedAt: nullable(time),
  expiresAt: nullable(time),
  status: Type.Enum(tokenStatuses),
})
export type TokenRow = Static<typeof TokenRow>

/** `secret` is shown once; only its hash is stored. */
export const CreatedToken = Type.Object({ id: Type.String(), secret: Type.String() })
export type CreatedToken = Static<typeof CreatedToken>
