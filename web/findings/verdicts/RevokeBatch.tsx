import type { ReactNode } from 'react'
import { revokeBatch } from '#contract/findings/operations.ts'
import type { Decision } from '#contract/findings/verdict.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'
import { formatCount } from '../../kit/text/format.ts'

/** Revokes everything recorded in the same act as a decision. */
export function RevokeBatch({ decision: { batch } }: { decision: Decision }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  if (batch === null || batch.inForce < 2) return null
  const count = formatCount(batch.inForce)
  return (
    <ConfirmedButton
      size="compact-xs"
      refused={refusal(workspace, revokeBatch.permission)}
      act={{
        send: () => call(revokeBatch, { params: { slug, batch: batch.id } }),
        done: () => 'The verdicts have been revoked.',
        settles: true,
      }}
      title={`Revoke all ${count} verdicts?`}
      consequence={`${count} decisions that were recorded together end now, on this and other findings. Findings without another verdict are undecided again and count as open. The decisions are kept in the history.`}
      verb={`Revoke ${count} verdicts`}
    >
      Revoke all {count} recorded together
    </ConfirmedButton>
  )
}
