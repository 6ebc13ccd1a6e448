import { Type, type Static } from 'typebox'
import { CreatedToken, TokenRow, tokenExpiryDays, tokenKinds, tokenPermission } from './shapes.ts'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'

const tokens = '/workspaces/:slug/tokens'

export const listTokens = operation({
  method: 'GET',
  path: tokens,
  permission: 'any_member',
  answer: answer(Type.Object({ tokens: Type.Array(TokenRow) })),
})

const NewToken = Type.Object({
  name: Type.String({ maxLength: 300 }),
  kind: Type.Enum(tokenKinds),
  /** Required for `upload` and `results`. */
  familyId: nullable(Type.String({ format: 'uuid' })),
  expiresInDays: nullable(Type.Enum(tokenExpiryDays)),
})
export type NewToken = Static<typeof NewToken>

export const createToken = operation({
  method: 'POST',
  path: tokens,
  permission: ({ kind }) => tokenPermission(kind),
  permissionAmong: ['manage_upload_tokens', 'manage_workspace_tokens'],
  body: NewToken,
  answersSecret: true,
  answer: answer(CreatedToken, 201),
})

/** Which permission it takes depends on the kind of the token. A security removal: a leaked token can always be stopped. */
export const revokeToken = operation({
  method: 'POST',
  path: `${tokens}/:token/revoke`,
  permission: ['manage_upload_tokens', 'manage_workspace_tokens'],
  worksReadOnly: 'until_closed',
  answer: nothing,
})
