import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { dismissRefusal } from '../../../../src/contract/operations/connector.ts'
import { refusal } from '../../../access.ts'
import { call } from '../../../api/call.ts'
import { useAct } from '../../../api/use-act.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { ActionButton } from '../../../ui/actions/ActionButton.tsx'
import { ConfirmModal } from '../../../ui/form/ConfirmModal.tsx'

type Props = { familyId: string; refusalId: string; onDone: () => void }

/** Takes a refusal off the list, after asking: nothing settles one whose project could not be read. */
export function DismissRefusal({ familyId, refusalId, onDone }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const dismiss = useAct({
    slug,
    send: () => call(dismissRefusal, { params: { slug, family: familyId, refusal: refusalId } }),
    done: () => 'The refusal has been dismissed.',
    onDone: () => {
      asking.close()
      onDone()
    },
  })
  return (
    <>
      <ActionButton
        variant="default"
        refused={refusal(workspace, dismissRefusal.permission)}
        onClick={asking.open}
      >
        Dismiss
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title="Dismiss this refusal?"
        consequence="It is removed from the list and no longer counted as open. The refused BOM is missing until Dependency-Track sends it again."
        verb="Dismiss"
        isRunning={dismiss.isPending}
        error={dismiss.error}
        onConfirm={dismiss.mutate}
      />
    </>
  )
}
