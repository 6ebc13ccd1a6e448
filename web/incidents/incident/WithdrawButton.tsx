import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { withdrawAwareness, withdrawDetermination } from '#contract/incidents/act-operations.ts'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { call } from '../../kit/api/call.ts'
import { tellRefusal } from '../../kit/api/tell-refusal.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { Waiting } from './DecisionButtons.tsx'

type Props = { incident: IncidentDetail } & Waiting

/** Takes back what awaits approval; whoever recorded it may, and nobody else. */
export function WithdrawButton({ incident, ...waiting }: Props): ReactNode {
  const workspace = useWorkspace()
  const me = useQuery(sessionQuery).data?.person.id
  const { slug } = workspace
  const place = { slug, incident: incident.id }
  const isChange = 'change' in waiting
  const withdraw = useAct({
    slug,
    send: () =>
      'change' in waiting
        ? call(withdrawAwareness, { params: { ...place, change: waiting.change.id } })
        : call(withdrawDetermination, { params: { ...place, determination: waiting.determination.id } }),
    done: () => (isChange ? 'The change is withdrawn.' : 'The determination is withdrawn.'),
  })
  const { recordedBy } = 'change' in waiting ? waiting.change : waiting.determination
  if (me !== recordedBy.id) return null
  const { permission } = isChange ? withdrawAwareness : withdrawDetermination
  return (
    <ActionButton
      size="xs"
      variant="subtle"
      color="gray"
      refused={reportingRefusal(workspace, permission)}
      onClick={() => {
        withdraw.mutate(undefined, { onError: tellRefusal })
      }}
    >
      Withdraw
    </ActionButton>
  )
}
