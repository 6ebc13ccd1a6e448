import { Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { FindingDetail } from '../../../src/contract/finding.ts'
import type { Decision } from '../../../src/contract/verdict.ts'
import { refusal } from '../../access.ts'
import { request } from '../../api/request.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { api } from '../../paths.ts'
import { ActionButton } from '../../ui/ActionButton.tsx'
import { ConfirmModal } from '../../ui/ConfirmModal.tsx'
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
    send: () => request<undefined>(api.decisionRevoke(slug, decision.id), { method: 'POST' }),
    done: () => 'The verdict is revoked.',
    onDone: asking.close,
  })
  return (
    <Group>
      <ActionButton
        size="compact-xs"
        variant="default"
        refused={refusal(workspace, 'decide_verdicts')}
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
