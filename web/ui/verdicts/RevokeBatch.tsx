import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { revokeBatch } from '../../../src/contract/operations/findings.ts'
import type { Decision } from '../../../src/contract/verdict.ts'
import { refusal } from '../../access.ts'
import { call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { ActionButton } from '../actions/ActionButton.tsx'
import { ConfirmModal } from '../form/ConfirmModal.tsx'
import { formatCount } from '../text/format.ts'

/** Takes everything back that was recorded in the same act as a decision. */
export function RevokeBatch({ decision: { batch } }: { decision: Decision }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const revoke = useAct({
    slug,
    send: (id: string) => call(revokeBatch, { params: { slug, batch: id } }),
    done: () => 'The verdicts have been revoked.',
    onDone: asking.close,
    settles: true,
  })
  if (batch === null || batch.inForce < 2) return null
  const count = formatCount(batch.inForce)
  return (
    <>
      <ActionButton
        size="compact-xs"
        variant="default"
        refused={refusal(workspace, revokeBatch.permission)}
        onClick={asking.open}
      >
        Revoke all {count} recorded together
      </ActionButton>
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title={`Revoke all ${count} verdicts?`}
        consequence={`${count} decisions that were recorded together end now, on this and other findings. Findings without another verdict are undecided again and count as open. The decisions are kept in the history.`}
        verb={`Revoke ${count} verdicts`}
        isRunning={revoke.isPending}
        error={revoke.error}
        onConfirm={() => {
          revoke.mutate(batch.id)
        }}
      />
    </>
  )
}
