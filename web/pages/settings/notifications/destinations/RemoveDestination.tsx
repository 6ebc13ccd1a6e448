import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { DestinationRow } from '../../../../../src/contract/alerts.ts'
import { visibleText } from '../../../../../src/contract/hidden-characters.ts'
import { removeDestination } from '../../../../../src/contract/operations/destinations.ts'
import { refusal } from '../../../../access.ts'
import { call } from '../../../../api/call.ts'
import { useAct } from '../../../../api/use-act.ts'
import { useWorkspace } from '../../../../frame/use-workspace.ts'
import { ActionButton } from '../../../../ui/actions/ActionButton.tsx'
import { ConfirmModal } from '../../../../ui/form/ConfirmModal.tsx'
import { eventWords } from '../words.ts'

type Props = { destination: DestinationRow; onDone: () => void }

export function RemoveDestination({ destination, onDone }: Props): ReactNode {
  const { id, name, events, hasSecret } = destination
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const remove = useAct({
    slug,
    send: () => call(removeDestination, { params: { slug, destination: id } }),
    done: () => visibleText(`${name} is removed.`),
    onDone: () => {
      asking.close()
      onDone()
    },
  })
  const stopped = events.map((type) => eventWords[type].name).join(', ')
  const forgotten = hasSecret ? 'Its URL and signing secret are' : 'Its URL is'
  return (
    <>
      <ActionButton
        variant="default"
        refused={refusal(workspace, removeDestination.permission)}
        onClick={asking.open}
      >
        Remove
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title={`Remove ${name}?`}
        consequence={`No longer posted there: ${stopped}. ${forgotten} forgotten, and this cannot be undone. Failed deliveries stay listed under Delivery problems.`}
        verb="Remove destination"
        final
        isRunning={remove.isPending}
        error={remove.error}
        onConfirm={remove.mutate}
      />
    </>
  )
}
