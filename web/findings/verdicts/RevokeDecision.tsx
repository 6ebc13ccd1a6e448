import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { revokeDecision } from '#contract/findings/operations.ts'
import type { FindingDetail } from '#contract/findings/shapes.ts'
import type { Decision } from '#contract/findings/verdict.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'
import { afterRevoking } from './after-revoking.ts'
import { RevokeBatch } from './RevokeBatch.tsx'

type Props = { decision: Decision; finding: FindingDetail }

/** Revokes a decision, after saying what applies then. */
export function RevokeDecision({ decision, finding }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  return (
    <Group>
      <ConfirmedButton
        size="compact-xs"
        refused={refusal(workspace, revokeDecision.permission)}
        act={{
          send: () => call(revokeDecision, { params: { slug, decision: decision.id } }),
          done: () => 'The verdict has been revoked.',
        }}
        title="Revoke this verdict?"
        consequence={afterRevoking(decision, finding)}
        verb="Revoke verdict"
      >
        Revoke this verdict
      </ConfirmedButton>
      <RevokeBatch decision={decision} />
    </Group>
  )
}
