import { IconBandage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { decideFindings } from '#contract/findings/operations.ts'
import type { FindingComponent, FindingDetail } from '#contract/findings/shapes.ts'
import type { NewDecision } from '#contract/findings/verdict.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { tellRefusal } from '../../kit/api/tell-refusal.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { refusal } from '../../workspaces/access.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { decisionOf, draftOf } from '../verdicts/decision-draft.ts'
import { useUndo } from '../verdicts/use-undo.tsx'
import styles from './FindingEvidence.module.css'

/**
 * What the SBOM says about a patch for the vulnerability, with a button that records the matching verdict; nothing where it says nothing.
 */
export function PatchedBySbom({ finding }: { finding: FindingDetail }): ReactNode {
  const patched = finding.components.filter(({ resolves }) => resolves.length > 0)
  if (patched.length === 0) return null
  const isSettled = finding.verdict?.verdict === 'fixed' || finding.verdict?.verdict === 'not_affected'
  return (
    <div className={styles['patched']}>
      <IconBandage size={18} aria-hidden />
      <span>
        <Foreign>{sentenceOf(patched)}</Foreign>
        {patched.length < finding.components.length
          ? ' It does not say so of the other components below.'
          : null}
      </span>
      {isSettled || finding.closedAt !== null ? null : <RecordAsFixed finding={finding} patched={patched} />}
    </div>
  )
}

function sentenceOf(patched: readonly FindingComponent[]): string {
  const names = new Set(
    patched.map(({ name, version }) => visibleText([name, version ?? ''].join(' ').trim())),
  )
  const ids = new Set(patched.flatMap(({ resolves }) => resolves).map(visibleText))
  return `The SBOM says that a patch to ${[...names].join(', ')} fixes ${[...ids].join(', ')}.`
}

function RecordAsFixed({
  finding,
  patched,
}: {
  finding: FindingDetail
  patched: readonly FindingComponent[]
}): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const offerUndo = useUndo(slug)
  const act = useAct({
    slug,
    send: (body: NewDecision) => call(decideFindings, { params: { slug }, body }),
    onDone: ({ batch }) => {
      offerUndo(batch, 1)
    },
    settles: true,
  })
  return (
    <ActionButton
      size="xs"
      variant="default"
      loading={act.isPending}
      refused={refusal(workspace, decideFindings.permission)}
      onClick={() => {
        const comment = sentenceOf(patched)
        const decision = decisionOf({ ...draftOf(undefined), verdict: 'fixed', comment }, [finding.id])
        act.mutate(decision, { onError: tellRefusal })
      }}
    >
      Record as fixed
    </ActionButton>
  )
}
