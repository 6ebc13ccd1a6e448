import { visibleText } from '#contract/hidden-characters.ts'
import type { ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { tokenPermission, type TokenRow } from '#contract/tokens/shapes.ts'
import { revokeToken } from '#contract/tokens/operations.ts'
import { revokeRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { tokenWords } from './token-words.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'

type Props = { token: TokenRow; size?: NonNullable<ButtonProps['size']> }

export function RevokeToken({ token, size = 'sm' }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  return (
    <ConfirmedButton
      size={size}
      refused={revokeRefusal(workspace, tokenPermission(token.kind))}
      act={{
        send: () => call(revokeToken, { params: { slug, token: token.id } }),
        done: () => visibleText(`${tokenWords(token)} has been revoked.`),
      }}
      title={`Revoke the token ${tokenWords(token)}?`}
      consequence="Pipelines that use this token get 401 from now on. This cannot be undone."
      verb="Revoke token"
      final
    >
      Revoke
    </ConfirmedButton>
  )
}
