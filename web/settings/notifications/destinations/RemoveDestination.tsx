import type { ReactNode } from 'react'
import type { DestinationRow } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { removeDestination } from '#contract/alerts/operations.ts'
import { refusal } from '../../../workspaces/access.ts'
import { call } from '../../../kit/api/call.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../../kit/actions/ConfirmedButton.tsx'
import { eventWords } from '../words.ts'

type Props = { destination: DestinationRow; onDone: () => void }

export function RemoveDestination({ destination, onDone }: Props): ReactNode {
  const { id, name, events, hasSecret } = destination
  const workspace = useWorkspace()
  const { slug } = workspace
  const stopped = events.map((type) => eventWords[type].name).join(', ')
  const forgotten = hasSecret ? 'Its URL and signing secret are' : 'Its URL is'
  return (
    <ConfirmedButton
      refused={refusal(workspace, removeDestination.permission)}
      act={{
        send: () => call(removeDestination, { params: { slug, destination: id } }),
        done: () => visibleText(`${name} is removed.`),
        onDone,
      }}
      title={`Remove ${name}?`}
      consequence={`No longer posted there: ${stopped}. ${forgotten} forgotten, and this cannot be undone. Failed deliveries stay listed under Delivery problems.`}
      verb="Remove destination"
      final
    >
      Remove
    </ConfirmedButton>
  )
}
