import { visibleText } from '#contract/hidden-characters.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { leaveWorkspace } from '#contract/people/operations/members.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'

type Props = { isLastOwner: boolean }

export function LeaveWorkspace({ isLastOwner }: Props): ReactNode {
  const { slug, companyName, state } = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const closed = state === 'closed' ? 'The workspace is closed.' : undefined
  const lastOwner = isLastOwner ? 'You are the last owner. Make somebody else an owner first.' : undefined
  return (
    <ConfirmedButton
      refused={closed ?? lastOwner}
      act={{
        send: () => call(leaveWorkspace, { params: { slug } }),
        done: () => visibleText(`You are no longer a member of ${companyName}.`),
        onDone: async (session) => {
          queryClient.setQueryData(sessionQuery.queryKey, session)
          await navigate(pages.home())
        },
      }}
      title={`Leave ${companyName}?`}
      consequence="You lose access at once. API tokens you created keep working. To come back you need an invitation."
      verb="Leave the workspace"
      final
    >
      Leave the workspace
    </ConfirmedButton>
  )
}
