import type { Permission } from '../../../src/contract/roles.ts'
import type { TokenKind } from '../../../src/contract/tokens.ts'

/** What a member needs to create or revoke a token of this kind. */
export function tokenPermission(kind: TokenKind): Permission {
  return kind === 'workspace' ? 'manage_workspace_tokens' : 'manage_upload_tokens'
}
