import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import type { ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { TokenRow } from '../../../../src/contract/app.ts'
import { revokeToken } from '../../../../src/contract/operations/tokens.ts'
import { tokenPermission } from '../../../../src/contract/tokens.ts'
import { revokeRefusal } from '../../../access.ts'
import { call } from '../../../api/call.ts'
import { useAct } from '../../../api/use-act.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { ActionButton } from '../../../ui/actions/ActionButton.tsx'
import { ConfirmModal } from '../../../ui/form/ConfirmModal.tsx'

type Props = { token: TokenRow; size?: NonNullable<ButtonProps['size']> }

export function RevokeToken({ token, size = 'sm' }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const revoke = useAct({
    slug,
    send: () => call(revokeToken, { params: { slug, token: token.id } }),
    done: () => visibleText(`${token.name} has been revoked.`),
    onDone: asking.close,
  })
  return (
    <>
      <ActionButton
        variant="default"
        size={size}
        refused={revokeRefusal(workspace, tokenPermission(token.kind))}
        onClick={asking.open}
      >
        Revoke
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title={`Revoke the token ${token.name}?`}
        consequence="Pipelines that use this token get 401 from now on. This cannot be undone."
        verb="Revoke token"
        final
        isRunning={revoke.isPending}
        error={revoke.error}
        onConfirm={revoke.mutate}
      />
    </>
  )
}
