import type { ReactNode } from 'react'
import { dismissRefusal } from '#contract/connector/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'

type Props = { familyId: string; refusalId: string; onDone: () => void }

/** Removes a refusal from the list, after a confirmation: a refusal whose project could not be read is never resolved otherwise. */
export function DismissRefusal({ familyId, refusalId, onDone }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  return (
    <ConfirmedButton
      refused={refusal(workspace, dismissRefusal.permission)}
      act={{
        send: () => call(dismissRefusal, { params: { slug, family: familyId, refusal: refusalId } }),
        done: () => 'The refusal has been dismissed.',
        onDone,
      }}
      title="Dismiss this refusal?"
      consequence="It is removed from the list and no longer counted as open. The refused BOM is missing until Dependency-Track sends it again."
      verb="Dismiss"
    >
      Dismiss
    </ConfirmedButton>
  )
}
