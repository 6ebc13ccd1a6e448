import { Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { AdvisoryContent, AdvisoryDetail, AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { setAdvisoryDraftState } from '#contract/advisories/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { PublishModal } from './PublishModal.tsx'

type Props = { advisory: AdvisoryDetail; draft: AdvisoryDraft }

type ActionProps = Props & {
  content: AdvisoryContent
  isChanged: boolean
  isSaving: boolean
  /** How many tests of what is shown fail. */
  failing: number
  onSave: () => void
}

export function EditorActions(props: ActionProps): ReactNode {
  const { advisory, draft, content, isChanged, isSaving, failing, onSave } = props
  const workspace = useWorkspace()
  const [isPublishing, setPublishing] = useState(false)
  const unsaved = isChanged ? 'Save the draft first.' : undefined
  const isSecondNeeded = advisory.secondPersonPublishes && draft.isOwn
  const second = isSecondNeeded ? 'A second person must publish it: you changed the draft last.' : undefined
  const untested =
    failing === 0
      ? undefined
      : `${formatNoun(failing, 'test')} of the draft ${failing === 1 ? 'fails' : 'fail'}: see “Tests” beside it.`
  const toPublish = refusal(workspace, 'publish_advisories')
  return (
    <Group gap="xs" mb="md">
      <ActionButton
        refused={refusal(workspace, 'draft_advisories')}
        loading={isSaving}
        onClick={() => {
          onSave()
        }}
      >
        Save draft
      </ActionButton>
      <ActionButton
        variant="default"
        refused={toPublish ?? unsaved ?? untested ?? second}
        onClick={() => {
          setPublishing(true)
        }}
      >
        Publish…
      </ActionButton>
      <ReviewButton advisory={advisory} draft={draft} unsaved={unsaved} />
      <Text c="dimmed" size="sm" role="status">
        {isChanged ? 'Not saved yet' : 'Saved'}
      </Text>
      <PublishModal
        advisory={advisory}
        revision={draft.revision}
        content={content}
        opened={isPublishing}
        onClose={() => {
          setPublishing(false)
        }}
      />
    </Group>
  )
}

const nextStates = { draft: 'in_review', in_review: 'approved', approved: 'draft' } as const
const stateVerbs = { draft: 'Send to review', in_review: 'Approve', approved: 'Take back to draft' }
/** Told of what the act makes of the draft: the button has other words then, and is all that changes beside it. */
const doneWords = {
  draft: 'The draft waits for its review.',
  in_review: 'The draft is approved.',
  approved: 'It is a draft again.',
}

function ReviewButton({ advisory, draft, unsaved }: Props & { unsaved: string | undefined }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const act = useAct({
    slug,
    send: ({ revision, state }: AdvisoryDraft) =>
      call(setAdvisoryDraftState, {
        params: { slug, advisory: advisory.id },
        body: { revision, state: nextStates[state] },
      }),
    done: ({ state }) => doneWords[state],
  })
  const needed = draft.state === 'in_review' ? 'publish_advisories' : 'draft_advisories'
  return (
    <>
      <ActionButton
        variant="default"
        loading={act.isPending}
        refused={refusal(workspace, needed) ?? unsaved}
        onClick={() => {
          act.mutate(draft)
        }}
      >
        {stateVerbs[draft.state]}
      </ActionButton>
      <Problem error={act.error} />
    </>
  )
}
