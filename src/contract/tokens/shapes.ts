import type { Permission } from '../roles.ts'

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

export type TokenRow = {
  id: string
  kind: TokenKind
  name: string
  family: { id: string; name: string } | null
  prefix: string
  createdAt: string
  createdBy: string | null
  /** Who created it is no member any more. */
  creatorRemoved: boolean
  lastUsedAt: string | null
  expiresAt: string | null
  status: TokenStatus
}

/** `secret` is shown once; only its hash is stored. */
export type CreatedToken = { id: string; secret: string }
