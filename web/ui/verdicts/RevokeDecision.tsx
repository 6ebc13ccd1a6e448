import { Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { revokeDecision } from '../../../src/contract/operations/findings.ts'
import type { FindingDetail } from '../../../src/contract/finding.ts'
import type { Decision } from '../../../src/contract/verdict.ts'
import { refusal } from '../../access.ts'
import { call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { ActionButton } from '../actions/ActionButton.tsx'
import { ConfirmModal } from '../form/ConfirmModal.tsx'
import { afterRevoking } from './after-revoking.ts'
import { RevokeBatch } from './RevokeBatch.tsx'

type Props = { decision: Decision; finding: FindingDetail }

/** Takes a decision back, after saying what holds then. */
export function RevokeDecision({ decision, finding }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [isAsking, asking] = useDisclosure(false)
  const revoke = useAct({
    slug,
    send: () => call(revokeDecision, { params: { slug, decision: decision.id } }),
    done: () => 'The verdict has been revoked.',
    onDone: asking.close,
  })
  return (
    <Group>
      <ActionButton
        size="compact-xs"
        variant="default"
        refused={refusal(workspace, revokeDecision.permission)}
        onClick={asking.open}
      >
        Revoke this verdict
      </ActionButton>
      <RevokeBatch decision={decision} />
      <ConfirmModal
        opened={isAsking}
        onClose={asking.close}
        title="Revoke this verdict?"
        consequence={afterRevoking(decision, finding)}
        verb="Revoke verdict"
        isRunning={revoke.isPending}
        error={revoke.error}
        onConfirm={revoke.mutate}
      />
    </Group>
  )
}
